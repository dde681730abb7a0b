import type { FindRequest, TagView } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { normaliseTag } from '@rookery/markup'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { tagViews } from '../../timelines/tags/index.ts'
import { findTags } from './tag-search.store.ts'

const SIGN = /^[#＃]/

/** The prefix of tag names to search for: digits alone are not a tag, but begin many. */
const prefixOf = (typed: string): string | undefined => {
  const name = typed.trim().replace(SIGN, '')
  return normaliseTag(name) ?? (/^\d{1,50}$/.test(name) ? name : undefined)
}

/** Searches tags by prefix, the exact tag first (beyond-the-spec 1.16). Three statements. */
export const searchTags = (deps: { database: Database<StatusesTables>; clock: Clock }) => {
  const show = tagViews(deps)
  return async ({ viewerId, text, excludeUnreviewed, limit, offset }: FindRequest): Promise<TagView[]> => {
    const prefix = prefixOf(text)
    return prefix === undefined ? [] : show(viewerId, await findTags(deps.database, { viewerId, prefix, excludeUnreviewed, limit, offset }))
  }
}
