import type { MigrationPhase } from '@rookery/database'
import { ConfigurationError } from '../environment.ts'
import { runProcess } from '../process.ts'
import { ownEnvironment } from './config.ts'
import type { AnyDeclaration } from './declaration.ts'
import { startLogger } from './log-settings.ts'
import { openService } from './open.ts'

const PHASES: readonly string[] = ['expand', 'contract'] satisfies MigrationPhase[]

/** The phase named on the command line; both without one. @throws ConfigurationError */
const phaseOf = (word: string | undefined): MigrationPhase => {
  if (word === undefined) return 'start'
  if (!PHASES.includes(word)) throw new ConfigurationError([`${word} is not a migration phase: use ${PHASES.join(' or ')}`])
  return word as MigrationPhase
}

/**
 * Migrates the schema of a service and ends: `expand` before processes of a new version start, `contract` after those of the old one have
 * ended, for which it waits a few minutes. Processes also migrate at their start, as far as running code allows; then there is nothing left
 * to do.
 */
export const runMigrations = (declared: AnyDeclaration): Promise<void> => {
  const log = startLogger(`${declared.name}-migrate`, ownEnvironment(), 'info')
  return runProcess(log, async (opened) => {
    const phase = phaseOf(process.argv[2])
    const { module } = await openService(declared, { role: 'migrate', phase }, opened)
    await module.close?.()
    await opened.close((name, error) => log.warn({ name, err: error }, 'closing a resource failed'))
    log.info('the schema is up to date')
    process.exit(0)
  })
}
