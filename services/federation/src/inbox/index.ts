export { type InboxCounts, inboxMetrics, noActivities } from './inbox.metrics.ts'
export {
  type InboxRequest,
  keyOfActor,
  type Reception,
  receiveActivity,
  SYNCHRONISE_FOLLOWERS,
  signatureOf,
  signerOf,
  unsigned,
  WORK_ACTIVITIES,
} from './receive.ts'
export { pruneReceived } from './received.store.ts'
export { workActivities } from './work-activities.job.ts'
