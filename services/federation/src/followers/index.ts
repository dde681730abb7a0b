export { createFollowers, type Followers } from './followers.ts'
export { digestOf, readSynchronisation } from './synchronisation.rules.ts'
