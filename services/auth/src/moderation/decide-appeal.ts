import { type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { AuthTables } from '../database/schema.ts'
import type { Login } from '../logins/index.ts'
import { type ActDeps, actOnAccount, judging } from './act-on-account.ts'
import { appealChanged } from './appeal.events.ts'
import { REVERSALS } from './appeal.rules.ts'
import { AppealReader, AppealWriter, type Strike } from './appeal.store.ts'
import { writeAct } from './record-act.ts'
import { strikePath } from './strike-path.ts'

type Deps = ActDeps & { outbox: Outbox }
type Decision = { id: string; staffId: string; isApproved: boolean }

/** The act that reverses a strike; undefined if there is none, it was reversed before, or a later act of the same kind is in force. */
const reversalOf = ({ action, isTakenBack, isRepeated }: Strike) => (isTakenBack || isRepeated ? undefined : REVERSALS[action])

/**
 * Stores the decision, logs it, and requests the mail. The log outlives the account, so it has the number of the act but not the text.
 * @throws Failure not_found for a decided appeal
 */
const writeDecision =
  (deps: Deps, strike: Strike, { email, locale }: Login, { id, staffId, isApproved }: Decision) =>
  async (tx: Tx<AuthTables>): Promise<void> => {
    const now = new Date(deps.clock.now())
    const state = isApproved ? 'approved' : 'rejected'
    const { accountId, appeal } = strike
    if (!appeal || !(await new AppealWriter(tx).decide(id, state, now))) throw notFound(`no open appeal ${id}`)
    await writeAct(tx, isApproved ? 'approve_appeal' : 'reject_appeal', { accountId, staffId }, { handle: `#${id}` }, now)
    await deps.outbox.append(tx, [appealChanged(strike, { text: appeal.text, state })])
    const kind = isApproved ? 'appealApproved' : 'appealRejected'
    await deps.securityEmails.send(tx, { to: email, locale, kind, strike: strikePath(id) })
  }

/**
 * Approves or rejects an appeal, once, for staff who may act on the account. Approval reverses the act in the same transaction, if it is
 * still in force; acts on statuses are not reversed. @throws Failure not_found, also for a decided appeal; forbidden
 */
export const decideAppeal = (deps: Deps) => {
  const act = actOnAccount(deps)
  return async (call: Call, decision: Decision): Promise<void> => {
    const { id, staffId, isApproved } = decision
    const strike = orNotFound(await new AppealReader(deps.database.db).strike(id), `no act ${id}`)
    const parties = { accountId: strike.accountId, staffId }
    const login = orNotFound(await deps.logins.find(strike.accountId), `no login ${strike.accountId}`)
    const also = writeDecision(deps, strike, login, decision)
    const reversal = isApproved ? reversalOf(strike) : undefined
    if (reversal) return void (await act(call, reversal, parties, {}, also))
    const judge = await judging(deps, parties)
    judge(login)
    await transact(deps.database.db, also)
  }
}
