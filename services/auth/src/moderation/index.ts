import type { Page } from '@rookery/database'
import { ActReader } from './act.store.ts'
import { actOnAccount, changeRole, endAccount } from './act-on-account.ts'
import { finishActsJob } from './finish-acts.job.ts'
import { logActs } from './log-acts.consumer.ts'

export type { ActName, EndName } from './act.rules.ts'

/** What staff and operators may do to accounts. */
export const createAccountActs = (deps: Parameters<typeof actOnAccount>[0]) => ({
  act: actOnAccount(deps),
  changeRole: changeRole(deps),
  end: endAccount(deps),
  /** What staff and operators did, latest first. */
  log: (page: Page) => new ActReader(deps.database.db).page(page),
  jobs: [finishActsJob(deps)],
  consumers: [logActs()],
})

export type AccountActs = ReturnType<typeof createAccountActs>
