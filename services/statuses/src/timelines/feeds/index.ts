export { feedMetrics } from './feed.metrics.ts'
export { FeedWriter } from './feed.store.ts'
