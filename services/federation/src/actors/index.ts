export { type ActorRow, actorColumns, actorOf, pruneActors } from './actor.store.ts'
export { createActors, READ_PINS, readPinsLater, type Signers } from './actors.ts'
export { READ_COUNTS, READ_FEATURED_TAGS } from './keep-actor.ts'
export { isKeyOf } from './key-owners.ts'
