export { moveWithin } from './move-account.ts'
