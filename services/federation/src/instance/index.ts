export { instanceHandler } from './instance.rpc.ts'
export type { StatusesClients } from './read-instance.ts'
