export type { OpenRemote } from './open-remote.ts'
export type { PruneRemote, ReadUsage } from './prune-remote-files.job.ts'
export { createRemote, type RemoteConfig } from './remote.ts'
