export { areOfOneHost, hostOf } from './actor.rules.ts'
export { createActors, type KeyOwners } from './actors.ts'
