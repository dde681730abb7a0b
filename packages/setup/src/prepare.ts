import { awaitDatabase, prepareDatabase } from '@rookery/database'
import type { SetupConfig } from './config.ts'

/**
 * Waits for the database and creates each service's role, password and schema. @throws Error when the database does not answer within two
 * minutes
 */
export const prepare = async ({ administratorUrl, roles }: SetupConfig): Promise<void> => {
  await awaitDatabase(administratorUrl.reveal())
  await prepareDatabase(
    administratorUrl.reveal(),
    roles.map(({ name, password }) => ({ name, password: password.reveal() })),
  )
}
