import { type Filtered, StatusBody } from '@rookery/contracts/statuses'
import { plainText } from '@rookery/markup'
import { type FoldedText, foldText, type ViewerFilters } from '../../filters/index.ts'
import type { StatusEntry } from './status.ts'

const texts = new WeakMap<StatusEntry, FoldedText>()

/** What filters read of a status: warning, content, options of its poll, descriptions of its files (beyond-the-spec 1.13). */
const readingOf = ({ view, poll }: StatusEntry): string => {
  const { spoilerText, content, attachments } = StatusBody.decode(view.body)
  const descriptions = attachments.map(({ description }) => description)
  return [spoilerText, plainText(content), ...(poll?.options ?? []), ...descriptions].filter(Boolean).join('\n\n')
}

/** The text of a status, folded when first asked for and kept as long as the status is in memory: who filters nothing pays nothing. */
const textOf = (entry: StatusEntry): FoldedText => {
  const known = texts.get(entry)
  if (known) return known
  const text = foldText(readingOf(entry))
  texts.set(entry, text)
  return text
}

/** Which filters fit a status with these ids, its own and what it boosts; `entry` is what is read of it. Undefined when none does. */
export const filteredOf = (filters: ViewerFilters, ids: readonly string[], entry: StatusEntry): Filtered | undefined => {
  const results = filters.results(ids, () => textOf(entry))
  return results.length > 0 ? { results } : undefined
}
