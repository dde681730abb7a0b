export { AccountReader, AccountWriter } from './account.store.ts'
export type { StoredField } from './account.tables.ts'
export { createAccountsRpc } from './accounts.rpc.ts'
export { localUsername } from './lookup-account.ts'
