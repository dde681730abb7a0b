export { type InboxCounts, inboxMetrics, noActivities } from './inbox.metrics.ts'
export { keyOfActor, SYNCHRONISE_FOLLOWERS, WORK_ACTIVITIES } from './job-names.ts'
export {
  type InboxRequest,
  type Reception,
  receiveActivity,
  signatureOf,
  signerOf,
  unsigned,
} from './receive.ts'
export { pruneReceived } from './received.store.ts'
export { workActivities } from './work-activities.job.ts'
