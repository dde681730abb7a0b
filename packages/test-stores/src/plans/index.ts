export { type Catalog, readCatalog } from './catalog.ts'
export { type Allowed, judgePlan, type PlanNode } from './judge.ts'
export { recordStatements, type SentStatement } from './record.ts'
export { giveEachTableAPage, type Spread, setStatistics } from './statistics.ts'
