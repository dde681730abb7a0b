export { AccountReader, AccountWriter, type ModerationState, moderationColumns } from './account.store.ts'
export { type Handle, handleIn, localUsername } from './lookup-account.ts'
