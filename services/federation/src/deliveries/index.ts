export { createDeliver, keyOfHost, MAX_INBOX, SEND_DELIVERIES } from './deliver.ts'
export { deliveryMetrics, noDeliveries } from './delivery.metrics.ts'
export { endWaiting, pruneOutbound } from './delivery.store.ts'
export { sendDeliveries } from './send-deliveries.job.ts'
