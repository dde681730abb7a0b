export { moveFollowersJob } from './move-followers.job.ts'
export { createMovesRpc } from './moves.rpc.ts'
