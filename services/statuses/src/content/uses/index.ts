export { countedDays } from './counted-days.store.ts'
export { markRecentUses, markUses } from './pending-use.store.ts'
