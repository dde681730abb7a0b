import { bytesOf } from '@rookery/cache'
import type { FilterResult, FilterSummary } from '@rookery/contracts/statuses'
import type { StoredFilter } from '../../database/tables/filter.ts'
import { filterSummary } from './filter-summary.ts'
import type { FoldedText } from './folded-text.ts'
import { type Keyword, keywordScanner } from './keyword-scanner.ts'

/** A viewer's compiled filters. */
export type ViewerFilters = {
  /** Approximate memory, in bytes. */
  readonly bytes: number
  /**
   * The filters that match a status, by its text or by one of its ids (its own and the boosted one), with the first matching text; the oldest filter
   * first (beyond-the-spec 1.13).
   */
  results(ids: readonly string[], text: () => FoldedText): FilterResult[]
}

/** Memory of a scanner, and of each character of its keywords, in bytes: measured with Node 26. */
const SCANNER_BYTES = 2000
const CHARACTER_BYTES = 120

type Match = { start: number; text: string }

/** Compiles filters; undefined if none can match. */
export const compileFilters = (filters: readonly StoredFilter[]): ViewerFilters | undefined => {
  const summaries: FilterSummary[] = filters.map(filterSummary)
  const keywords: Keyword[] = filters.flatMap((filter) => filter.keywords.map(([keyword, wholeWord]) => ({ keyword, wholeWord })))
  const owners = filters.flatMap((filter, index) => filter.keywords.map(() => index))
  const byStatus = new Map<string, Set<number>>()
  for (const [index, { statuses }] of filters.entries()) {
    for (const id of statuses) {
      const known = byStatus.get(id)
      if (known) known.add(index)
      else byStatus.set(id, new Set([index]))
    }
  }
  if (keywords.length === 0 && byStatus.size === 0) return undefined
  const scanner = keywordScanner(keywords)

  /** The leftmost match of each filter. */
  const matchesIn = (text: FoldedText): Map<number, Match> => {
    const matches = new Map<number, Match>()
    for (const { index, start, end } of scanner.scan(text)) {
      const owner = owners[index]!
      const known = matches.get(owner)
      if (!known || start < known.start) matches.set(owner, { start, text: text.text.slice(start, end) })
    }
    return matches
  }

  return {
    bytes: SCANNER_BYTES + CHARACTER_BYTES * scanner.size + bytesOf(summaries) + bytesOf(byStatus),
    results(ids, text) {
      const matches = keywords.length > 0 ? matchesIn(text()) : new Map<number, Match>()
      const named = ids.flatMap((id) => [...(byStatus.get(id) ?? [])])
      const fitting = [...new Set([...matches.keys(), ...named])].sort((a, b) => a - b)
      return fitting.map((index) => {
        const match = matches.get(index)
        return {
          filter: summaries[index],
          keywordMatches: match ? [match.text] : [],
          statusMatches: ids.filter((id) => byStatus.get(id)?.has(index)),
        }
      })
    },
  }
}
