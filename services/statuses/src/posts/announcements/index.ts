export { removeReactionsOf } from './react.ts'
