export { applyPolicies } from './apply-policies.ts'
export { finishMerging, lockPermissions, permit, readMerged } from './permission.store.ts'
export { type PolicyReason, reasonsOf } from './policy.rules.ts'
export { REQUEST_TYPES } from './request.predicates.ts'
export {
  type RequestRow,
  readRequest,
  readRequestPage,
  removeEmptyRequests,
  removeEmptyRequestsOf,
  removeRequests,
} from './request.store.ts'
