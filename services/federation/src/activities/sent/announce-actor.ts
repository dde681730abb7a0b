import { type Database, transact } from '@rookery/database'
import type { Deliver } from '../../contract.ts'
import type { FederationTables } from '../../database/schema.ts'
import { payloadOf, renderProfileUpdate } from '../../vocabulary/index.ts'
import type { SentDeps } from './deps.ts'
import { profileUpdate } from './people.ts'

type Deps = SentDeps & {
  database: Database<FederationTables>
  deliver: Deliver
  serverActor(): Promise<{ readonly [name: string]: unknown }>
}

/**
 * Sends an Update with an actor's new key to other servers: to the readers of an account's profile; for the server itself, whose account id is empty,
 * to all known servers.
 */
export const announceActor =
  (deps: Deps) =>
  async (accountId: string, version: string): Promise<void> => {
    const server = async () => [
      { ...payloadOf(renderProfileUpdate(await deps.serverActor(), { version })), senderId: '', inboxes: await deps.knownInboxes() },
    ]
    const outbound = accountId ? await profileUpdate(deps, accountId, { version }) : await server()
    await transact(deps.database.db, async (tx) => {
      for (const one of outbound) await deps.deliver(tx, one)
    })
  }
