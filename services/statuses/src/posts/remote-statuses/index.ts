export { LINK_REPLIES, STORED_WITHIN_MILLISECONDS } from './await-parent.ts'
