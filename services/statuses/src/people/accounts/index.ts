export type { ModerationState } from './account.store.ts'
export { AccountReader, AccountWriter } from './account.store.ts'
export { localUsername } from './lookup-account.ts'
