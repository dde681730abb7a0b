export type { StoredFilter } from './filter.tables.ts'
export { createFiltersRpc } from './filters.rpc.ts'
export { type FoldedText, foldText } from './folded-text.ts'
export { compileFilters, type ViewerFilters } from './viewer-filters.ts'
