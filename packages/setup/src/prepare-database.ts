import { createLogger, runProcess } from '@rookery/runtime'
import { ownEnvironment, readSetupConfig } from './config.ts'
import { prepare } from './prepare.ts'

const log = createLogger({ name: 'prepare-database', level: 'info' })
await runProcess(log, async () => {
  const config = readSetupConfig(ownEnvironment())
  await prepare(config)
  log.info({ services: config.roles.map(({ name }) => name) }, 'database prepared')
  process.exit(0)
})
