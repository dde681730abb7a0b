export { filterSummary } from './filter-summary.ts'
export { type FoldedText, foldText } from './folded-text.ts'
export { compileFilters, type ViewerFilters } from './viewer-filters.ts'
