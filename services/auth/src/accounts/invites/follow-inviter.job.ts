import type { AccountsDefinition, GraphDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import { ownCall } from '../../calls.ts'
import type { AuthTables } from '../../database/schema.ts'
import { hasJoined, isActive, type Logins } from '../../logins/index.ts'
import { InviteReader, InviteWriter } from './invite.store.ts'

export const FOLLOW_INVITER = 'follow-inviter'

type Deps = {
  database: Database<AuthTables>
  logins: Pick<Logins, 'find'>
  statuses: { accounts: Client<AccountsDefinition>; graph: Client<GraphDefinition> }
}

/** Whom no one can follow any more, or not this person: a block, a move, a suspension. */
const REFUSALS: readonly string[] = ['not_found', 'forbidden', 'invalid']

const unlessRefused = (error: unknown) => {
  if (!(error instanceof Failure) || !REFUSALS.includes(error.kind)) throw error
}

/**
 * Has someone follow whose invitation they came by, once they may act, as they would by themselves: people who approve their followers are asked.
 * What is refused is given up. Again does nothing.
 */
export const followInviter = (deps: Deps): Job =>
  job<{ accountId: string }>({
    name: FOLLOW_INVITER,
    async run({ accountId }) {
      const inviterId = await new InviteReader(deps.database.db).followDue(accountId)
      const login = await deps.logins.find(accountId)
      if (inviterId === undefined || !login || !isActive(login)) return
      // Statuses may not know yet that they are here: the job that says so may be behind this one.
      await deps.statuses.accounts.setActive(ownCall(10), { id: accountId, isActive: true, hasJoined: hasJoined(login) })
      await deps.statuses.graph.follow(ownCall(20), { viewerId: accountId, accountId: inviterId }).catch(unlessRefused)
      await transact(deps.database.db, (tx) => new InviteWriter(tx).noteFollowed(accountId))
    },
  })
