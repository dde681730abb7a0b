export { closeAccountWithin } from './close-account.ts'
export { requestRemoval } from './remove-closed-accounts.job.ts'
