import { actOnAccount, changeRole, endAccount } from './act-on-account.ts'
import { finishActsJob } from './finish-acts.job.ts'

export type { ActName, EndName } from './act.rules.ts'

/** What staff and operators may do to accounts. */
export const createAccountActs = (deps: Parameters<typeof actOnAccount>[0]) => ({
  act: actOnAccount(deps),
  changeRole: changeRole(deps),
  end: endAccount(deps),
  jobs: [finishActsJob(deps)],
})

export type AccountActs = ReturnType<typeof createAccountActs>
