import { awaitDatabase, prepareDatabase } from '@rookery/database'
import type { SetupConfig } from './config.ts'

/** Waits for the database and gives each service its role, password and schema. @throws Error when no one answers in two minutes */
export const prepare = async ({ administratorUrl, roles }: SetupConfig): Promise<void> => {
  await awaitDatabase(administratorUrl.reveal())
  await prepareDatabase(
    administratorUrl.reveal(),
    roles.map(({ name, password }) => ({ name, password: password.reveal() })),
  )
}
