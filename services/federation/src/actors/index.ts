export { createActors, type KeyOwners } from './actors.ts'
