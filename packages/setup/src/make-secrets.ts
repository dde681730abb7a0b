import { createLogger, runProcess } from '@rookery/runtime'
import { ownEnvironment, readSecretsConfig } from './config.ts'
import { makeSecrets } from './secrets.ts'

const log = createLogger({ name: 'make-secrets', level: 'info' })
await runProcess(log, async () => {
  for (const { name, isNew } of await makeSecrets(readSecretsConfig(ownEnvironment())))
    log.info({ object: name }, isNew ? 'secret created' : 'secret exists, unchanged')
  process.exit(0)
})
