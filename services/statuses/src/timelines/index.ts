export { fanOut } from './fan-out.consumer.ts'
export { readHolders } from './feed.store.ts'
export { followFeeds } from './follow-feeds.consumer.ts'
export { createTimelinesRpc } from './timelines.rpc.ts'
