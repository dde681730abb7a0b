import type { FindRequest, TagView } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { idAtTime } from '@rookery/ids'
import { normaliseTag } from '@rookery/markup'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { historyStart, withHistories } from './tag-history.rules.ts'
import { type FoundTag, findTags, readTagDisplay, readTagUses } from './tag-search.store.ts'

type Given = { database: Database<StatusesTables>; clock: Clock }

const SIGN = /^[#＃]/

/** What the names of tags must begin with: digits alone are no tag, but many begin so. */
const prefixOf = (typed: string): string | undefined => {
  const name = typed.trim().replace(SIGN, '')
  return normaliseTag(name) ?? (/^\d{1,50}$/.test(name) ? name : undefined)
}

const viewsOf = async ({ database, clock }: Given, tags: readonly FoundTag[]): Promise<TagView[]> => {
  if (tags.length === 0) return []
  const now = clock.now()
  const names = tags.map(({ name }) => name)
  return withHistories(tags, await readTagUses(database, names, idAtTime(historyStart(now))), now)
}

/** Tags by how they begin, the tag itself first (beyond-the-spec 1.16). Two statements. */
export const searchTags =
  (given: Given) =>
  async ({ text, limit, offset }: FindRequest): Promise<TagView[]> => {
    const prefix = prefixOf(text)
    return prefix === undefined ? [] : viewsOf(given, await findTags(given.database, { prefix, limit, offset }))
  }

/** One tag, used or not (beyond-the-spec 1.9, Hashtags). @throws Failure not_found for what is no tag */
export const readTag =
  (given: Given) =>
  async (typed: string): Promise<TagView> => {
    const name = orNotFound(normaliseTag(typed), `${typed} is no tag`)
    const [known] = await readTagDisplay(given.database, [name])
    const [view] = await viewsOf(given, [{ name, display: known?.[0] ?? typed.replace(SIGN, '') }])
    return view!
  }
