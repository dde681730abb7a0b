import type { FeaturedTag, TagView } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { tagViews } from '../../timelines/tags/index.ts'
import { readFeaturedTags, readSuggestions } from './featured-tag.store.ts'

const MAX_SUGGESTED = 10

/**
 * The featured tags of an account, the most used first. Uses are counted on reading, so that edits and deletions need no bookkeeping (spec, Featured
 * tags; beyond-the-spec 2.2).
 * @throws Failure not_found if there is no such account
 */
export const listFeaturedTags =
  ({ database }: { database: Database<StatusesTables> }) =>
  async (accountId: string): Promise<FeaturedTag[]> =>
    orNotFound(await readFeaturedTags(database, accountId), `there is no account ${accountId}`)

/** The tags the viewer used most recently and does not feature (spec, Other constants 4). */
export const suggestTags = (deps: { database: Database<StatusesTables>; clock: Clock }) => {
  const show = tagViews(deps)
  return async (viewerId: string): Promise<TagView[]> =>
    show(viewerId, await readSuggestions(deps.database, { accountId: viewerId, limit: MAX_SUGGESTED }))
}
