export { createAccountLifeRpc } from './account-life.rpc.ts'
export { removeClosedAccountsJob } from './remove-closed-accounts.job.ts'
