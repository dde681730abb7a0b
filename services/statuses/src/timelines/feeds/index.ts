export { feedMetrics } from './feed.metrics.ts'
