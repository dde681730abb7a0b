import type { Tx } from '@rookery/database'
import type { AuthTables } from '../database/schema.ts'
import { ArtifactWriter } from './artifact.store.ts'

/** What other slices may do with people's sign-ins. */
export const createSessions = () => ({
  /** Ends every sign-in of a person, with the codes and approvals under way. */
  endAll: (tx: Tx<AuthTables>, accountId: string): Promise<void> => new ArtifactWriter(tx).removeOf(accountId),
})

export type Sessions = ReturnType<typeof createSessions>
