export { ACCOUNT_COLUMNS, type AccountRow, readAccountVersions } from './account.store.ts'
export { type VersionedCache, versionedCache } from './hydrate/versioned.ts'
export { type AccountEntry, presentAccount } from './present/account.ts'
export { presentPoll } from './present/poll.ts'
export { presentAttachment, presentStatus, type StatusEntry } from './present/status.ts'
export type { ReadPart } from './read-page.ts'
export {
  commonSkeletonStatement,
  PAGE_TYPES,
  type PageValues,
  pageKey,
  type Skeleton,
  skeletonStatement,
  type Viewer,
} from './skeleton.store.ts'
export type { StatusRow } from './status-body.store.ts'
export { STORED_POLL } from './stored-poll.store.ts'
export { createViews, type Views } from './views.ts'
