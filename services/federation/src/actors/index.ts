export { pruneActors } from './actor.store.ts'
export { createActors, type KeyOwners, READ_COUNTS, READ_PINS, readPinsLater } from './actors.ts'
