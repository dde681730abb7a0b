export type { StatusesClients } from './read-instance.ts'
