export { removeReactionsOf } from './react-to-announcement.ts'
