export { feedFigures } from './feed.figures.ts'
export { readHolders, readShowing } from './feed.store.ts'
export { readListings } from './listing.store.ts'
export { tellLive } from './tell-live.ts'
