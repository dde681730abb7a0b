export { markRecentUses, markUses } from './pending-use.store.ts'
