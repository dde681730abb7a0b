import { openDatabase } from '@rookery/database'
import { memoryEphemeral } from '@rookery/ephemeral'
import { createOutbox } from '@rookery/events'
import { snowflakes } from '@rookery/ids'
import type { Client, Definition } from '@rookery/rpc'
import { type Clock, createLogger } from '@rookery/runtime'
import { connectionTo } from '@rookery/test-world/connection'
import { createStatuses, readStatusesConfig, type StatusesTables, schema } from '../src/module.ts'

export { schema as statusesSchema } from '../src/module.ts'

/** The people of these tests have no files. */
const noMedia = <D extends Definition>(): Client<D> => ({}) as Client<D>

/** The module of statuses on a database, for tests of the services that call it, and their connection to it. */
export const openStatuses = ({ url, clock }: { url: string; clock: Clock }) => {
  const database = openDatabase<StatusesTables>({ url })
  const ephemeral = memoryEphemeral(clock.now)
  const module = createStatuses({
    ...ephemeral,
    database,
    outbox: createOutbox({ topic: 'statuses.v1', now: clock.now, wake: () => {} }),
    media: { attachments: noMedia(), remoteFiles: noMedia() },
    clock,
    ids: snowflakes(clock.now),
    log: createLogger({ name: schema.name, level: 'silent' }),
    config: readStatusesConfig({ BASE_URL: 'https://rookery.example' }),
  })
  return Object.assign(connectionTo(schema.name, module.rpc), {
    /** Runs a job of statuses. */
    runJob: async (name: string) => {
      await module.jobs.find((job) => job.name === name)?.run({})
    },
    close: async () => {
      await ephemeral.close()
      await database.close()
    },
  })
}
