import type { AccountsDefinition, GraphDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { AuthTables } from '../../database/schema.ts'
import { hasJoined, isActive, type Logins } from '../../logins/index.ts'
import { InviteReader, InviteWriter } from './invite.store.ts'

export const FOLLOW_INVITER = 'follow-inviter'

type Deps = {
  database: Database<AuthTables>
  logins: Pick<Logins, 'find'>
  statuses: { accounts: Client<AccountsDefinition>; graph: Client<GraphDefinition> }
}

/** Failures of follows that cannot succeed: the inviter is gone, or a block, a move or a suspension prevents it. */
const REFUSALS: readonly string[] = ['not_found', 'forbidden', 'invalid']

const unlessRefused = (error: unknown) => {
  if (!(error instanceof Failure) || !REFUSALS.includes(error.kind)) throw error
}

/**
 * Makes an invited account follow its inviter once it is active, as by the API: inviters who approve followers get a request. A refused
 * follow is given up. Idempotent.
 */
export const followInviter = (deps: Deps): Job =>
  job<{ accountId: string }>({
    name: FOLLOW_INVITER,
    async run({ accountId }) {
      const inviterId = await new InviteReader(deps.database.db).followDue(accountId)
      const login = await deps.logins.find(accountId)
      if (inviterId === undefined || !login || !isActive(login)) return
      // Statuses may not know yet that the account is active: the job that says so may still be queued.
      await deps.statuses.accounts.setActive(callWithin(10), { id: accountId, isActive: true, hasJoined: hasJoined(login) })
      await deps.statuses.graph.follow(callWithin(20), { viewerId: accountId, accountId: inviterId }).catch(unlessRefused)
      await transact(deps.database.db, (tx) => new InviteWriter(tx).noteFollowed(accountId))
    },
  })
