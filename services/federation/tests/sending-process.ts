import { openDatabase } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { startWorker } from '@rookery/jobs'
import { createLogger, systemClock } from '@rookery/runtime'
import { type FederationTables, readFederationConfig } from '../src/module.ts'
import { readActor } from '../src/vocabulary/index.ts'
import { createWire } from '../src/wire.ts'
import { silence } from './silence.ts'

// Sends pending deliveries until it is killed. The keys exist already, so statuses is not called.
const [url = '', encryptionKey = ''] = process.argv.slice(2)
const wire = createWire(
  {
    database: openDatabase<FederationTables>({ url }),
    statuses: {} as never,
    rates: memoryEphemeral(systemClock.now).rates,
    clock: systemClock,
    log: createLogger({ name: 'federation', level: 'silent' }),
    config: readFederationConfig({ BASE_URL: 'http://here.example', FEDERATION_ALLOW_PRIVATE: 'true', ENCRYPTION_KEY: encryptionKey }),
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  },
  () => silence,
  readActor,
)
await startWorker({ url, service: 'federation', jobs: wire.module.jobs })
