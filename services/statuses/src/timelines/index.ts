export { readEditHolders, readEditLists } from './edit-audience.store.ts'
export { feedFigures } from './feed.figures.ts'
export { readListings } from './listing.store.ts'
export { liveMessage } from './live.events.ts'
