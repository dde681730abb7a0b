export { type InboxCounts, inboxMetrics, noActivities } from './inbox.metrics.ts'
export { type InboxRequest, receiveActivity, signatureOf, signerOf, unsigned } from './receive.ts'
export { pruneReceived } from './received.store.ts'
export { workActivities } from './work-activities.job.ts'
