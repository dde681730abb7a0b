export { profileChanged } from './account.events.ts'
export { AccountReader, AccountWriter, type ModerationState, moderationColumns } from './account.store.ts'
export { type Handle, handleIn } from './lookup-account.ts'
