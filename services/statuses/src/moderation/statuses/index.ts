export { deleteStatuses } from './delete-statuses.ts'
export { markStatuses } from './mark-statuses.ts'
