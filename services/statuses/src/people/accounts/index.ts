export { AccountReader, AccountWriter, type ModerationState, moderationColumns } from './account.store.ts'
export { localUsername } from './lookup-account.ts'
