import type { CachePool } from '@rookery/cache'
import { StatusBody } from '@rookery/contracts/statuses'
import { plainText } from '@rookery/markup'
import { type FoldedText, foldText } from '../../content/keywords/index.ts'
import type { StatusEntry } from '../present/status.ts'

/** The text that filters match: warning, content, poll options, descriptions of attachments (beyond-the-spec 1.13). */
const readingOf = ({ view, poll }: StatusEntry): string => {
  const { spoilerText, content, attachments } = StatusBody.decode(view.body)
  const descriptions = attachments.map(({ description }) => description)
  return [spoilerText, plainText(content), ...(poll?.options ?? []), ...descriptions].filter(Boolean).join('\n\n')
}

/** The folded text of a status for filters: folded on first use and cached, so that viewers without filters cost nothing. */
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
