import type { TagPage, TagView } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { tagOf } from './tag.rules.ts'
import { NO_ID, readFollowed, readTagRow } from './tag.store.ts'
import { tagViews } from './tag.views.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }

/** One tag, used or not (beyond-the-spec 1.9, Hashtags). @throws Failure not_found for an invalid tag */
export const readTag = (deps: Deps) => {
  const show = tagViews(deps)
  return async (typed: string, viewerId: string): Promise<TagView> => {
    const tag = orNotFound(tagOf(typed), `${typed} is no tag`)
    const [row] = await readTagRow(deps.database, { name: tag.name })
    const [view] = await show(viewerId, [{ id: NO_ID, ...tag, ...row }])
    return view!
  }
}

/** The tags the viewer follows, latest first (beyond-the-spec 2.2). */
export const readFollowedTags = (deps: Deps) => {
  const show = tagViews(deps)
  return async (viewerId: string, page: Page): Promise<TagPage> => {
    const { rows, cursors } = cursorsOf(page, await readFollowed(deps.database, { followerId: viewerId, page }), ({ cursor }) => cursor)
    return { tags: await show(viewerId, rows), cursors }
  }
}
