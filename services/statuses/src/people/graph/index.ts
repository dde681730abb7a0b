export { requestAcceptance } from './accept-requests.job.ts'
export { endFollow } from './end-follow.ts'
export { accountFollowed } from './graph.events.ts'
export { GraphWriter } from './graph.store.ts'
