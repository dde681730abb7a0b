import type { CachePool } from '@rookery/cache'
import { StatusBody } from '@rookery/contracts/statuses'
import { plainText } from '@rookery/markup'
import { type FoldedText, foldText } from '../../content/keywords/index.ts'
import type { StatusEntry } from '../present/status.ts'

/** What filters read of a status: warning, content, options of its poll, descriptions of its files (beyond-the-spec 1.13). */
const readingOf = ({ view, poll }: StatusEntry): string => {
  const { spoilerText, content, attachments } = StatusBody.decode(view.body)
  const descriptions = attachments.map(({ description }) => description)
  return [spoilerText, plainText(content), ...(poll?.options ?? []), ...descriptions].filter(Boolean).join('\n\n')
}

/** The text of a status as filters read it: folded when first asked for and kept, so that who filters nothing pays nothing. */
export const statusTexts = (pool: CachePool): ((entry: StatusEntry) => FoldedText) => {
  const cache = pool.cache<{ version: number; text: FoldedText }>('texts')
  return (entry) => {
    const known = cache.get(entry.id, ({ version }) => version === entry.version)
    if (known) return known.text
    const text = foldText(readingOf(entry))
    cache.set(entry.id, { version: entry.version, text })
    return text
  }
}
