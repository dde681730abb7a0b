import { awaitDatabase } from '@rookery/database'
import { createLogger } from '../logger.ts'
import { runProcess } from '../process.ts'
import { ownEnvironment, readServiceConfig } from './config.ts'
import type { AnyDeclaration } from './declaration.ts'
import { openService } from './open.ts'

/**
 * Brings the schema of a service up to date and ends, before processes of a new version start. It waits for a database that is just
 * starting or being prepared. Processes do the same at their start; then there is nothing left to do.
 */
export const runMigrations = (declared: AnyDeclaration): Promise<void> => {
  const log = createLogger({ name: `${declared.name}-migrate`, level: 'info' })
  return runProcess(log, async (opened) => {
    const { databaseUrl } = readServiceConfig({ ...declared, hasDatabase: declared.storage !== undefined }, ownEnvironment())
    if (databaseUrl) await awaitDatabase(databaseUrl.reveal())
    const { module } = await openService(declared, 'migrate', opened)
    await module.close?.()
    await opened.close((name, error) => log.warn({ name, err: error }, 'closing failed'))
    log.info('the schema is up to date')
    process.exit(0)
  })
}
