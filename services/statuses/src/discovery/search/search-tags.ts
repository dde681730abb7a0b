import type { FindRequest, TagView } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { normaliseTag } from '@rookery/markup'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { tagViews } from '../../timelines/tags/index.ts'
import { findTags } from './tag-search.store.ts'

const SIGN = /^[#＃]/

/** What the names of tags must begin with: digits alone are no tag, but many begin so. */
const prefixOf = (typed: string): string | undefined => {
  const name = typed.trim().replace(SIGN, '')
  return normaliseTag(name) ?? (/^\d{1,50}$/.test(name) ? name : undefined)
}

/** Tags by how they begin, the tag itself first (beyond-the-spec 1.16). Three statements. */
export const searchTags = (deps: { database: Database<StatusesTables>; clock: Clock }) => {
  const show = tagViews(deps)
  return async ({ viewerId, text, limit, offset }: FindRequest): Promise<TagView[]> => {
    const prefix = prefixOf(text)
    return prefix === undefined ? [] : show(viewerId, await findTags(deps.database, { viewerId, prefix, limit, offset }))
  }
}
