export { requestAcceptance } from './accept-requests.job.ts'
export { cutTies, endFollow } from './end-follow.ts'
export { accountFollowed, followRequested } from './graph.events.ts'
export { type FollowOptions, GraphWriter } from './graph.store.ts'
