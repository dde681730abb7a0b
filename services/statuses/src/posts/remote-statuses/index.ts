export { LINK_REPLIES } from './await-parent.ts'
