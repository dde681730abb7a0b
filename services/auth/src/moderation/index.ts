import type { Page, Tx } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { LoggedAct } from '../log-act.ts'
import { ActReader, ActWriter } from './act.store.ts'
import { actOnAccount, changeRole, endAccount, recordAct } from './act-on-account.ts'
import { actOnRemoteAccount } from './act-on-remote-account.ts'
import { AppealReader } from './appeal.store.ts'
import { appealAct, readStrike } from './appeal-act.ts'
import { decideAppeal } from './decide-appeal.ts'
import { finishActsJob } from './finish-acts.job.ts'
import { logActs } from './log-acts.consumer.ts'
import { StaffLoginReader } from './staff-login.store.ts'

export { type ActName, type EndName, isActName, isOnStatuses, warningOf } from './act.rules.ts'
export { appealableUntil, isOpenToAppeal, MAX_APPEAL } from './appeal.rules.ts'
export type { Strike } from './appeal.store.ts'
export { listActs } from './list-acts.ts'
export { createStaffEmails } from './staff-emails/index.ts'
export { strikePath } from './strike-path.ts'

/** Adds to the log what staff did to something that is no account. */
export const logAct =
  ({ clock }: { clock: Clock }) =>
  async (tx: Tx<AuthTables>, { staffId, action, target, accountId }: LoggedAct): Promise<void> => {
    const createdAt = new Date(clock.now())
    await new ActWriter(tx).add({
      actorId: staffId || null,
      action,
      accountId: accountId ?? null,
      target,
      text: '',
      reportId: null,
      createdAt,
    })
  }

/** What staff and operators may do to accounts. */
export const createAccountActs = (deps: Parameters<typeof decideAppeal>[0] & Parameters<typeof actOnRemoteAccount>[0]) => ({
  act: actOnAccount(deps),
  changeRole: changeRole(deps),
  end: endAccount(deps),
  record: recordAct(deps),
  /** What was done to someone that they may appeal, latest first; one of it by its id; and appealing that. */
  strikes: {
    of: (accountId: string) => new AppealReader(deps.database.db).strikesOf(accountId),
    read: readStrike(deps),
    appeal: appealAct(deps),
  },
  decideAppeal: decideAppeal(deps),
  /** How many people wait for approval. */
  countPending: () => new StaffLoginReader(deps.database.db).countPending(),
  /** Whether statuses has yet to hear of acts on an account. */
  areUnfinished: async (accountId: string) => (await new ActReader(deps.database.db).unfinished(accountId)).length > 0,
  /** The same for people of other servers. */
  remote: actOnRemoteAccount(deps),
  /** What staff and operators did, latest first. */
  log: (page: Page) => new ActReader(deps.database.db).page(page),
  jobs: [finishActsJob(deps)],
  consumers: logActs(),
})

export type AccountActs = ReturnType<typeof createAccountActs>
