import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { ChangeTagRequest, ListTagsRequest, ReadTagByIdRequest, TagTrend, TagTrendPage } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, pageWithin, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import { normaliseTag } from '@rookery/markup'
import type { Clock } from '@rookery/runtime'
import type { StatusesConfig } from '../../config.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { tagTrends } from './read-trends.ts'
import { tagChanged } from './trend.events.ts'
import { changeTagRow, readTagById, readTagPage, reviewUsed } from './trend.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; views: Views; config: Pick<StatusesConfig, 'trends'> }

/** All tags, latest first (beyond-the-spec 2.6). */
export const listTags = (deps: Deps) => {
  const show = tagTrends(deps)
  return async ({ viewerId, page: wanted }: ListTagsRequest): Promise<TagTrendPage> => {
    const page = pageWithin(PAGE_SIZES.tags, wanted)
    const { rows, cursors } = cursorsOf(page, await readTagPage(deps.database, { page }), ({ id }) => id)
    return { tags: rows.length > 0 ? await show(viewerId, rows) : [], cursors }
  }
}

/** One tag for staff. @throws Failure not_found */
export const readTag = (deps: Deps) => {
  const show = tagTrends(deps)
  return async ({ id, viewerId }: ReadTagByIdRequest): Promise<TagTrend> => {
    const tag = orNotFound((await readTagById(deps.database, { id }))[0], `no tag ${id}`)
    return (await show(viewerId, [tag]))[0]!
  }
}

const NAMES = { isTrendable: 'trendable', isUsable: 'usable', isListable: 'listable' } as const

/** The decisions of a request, as text for the log. */
const decisionsOf = (request: ChangeTagRequest): string =>
  (Object.keys(NAMES) as (keyof typeof NAMES)[])
    .filter((name) => request[name] !== undefined)
    .map((name) => `${NAMES[name]}: ${request[name] ? 'yes' : 'no'}`)
    .join(', ')

/**
 * Changes whether a tag may trend, be used in new statuses and be found (beyond-the-spec 2.6).
 * @throws Failure not_found; invalid for a display name with another normalised name
 */
export const changeTag = (deps: Deps) => {
  const read = readTag(deps)
  return async (request: ChangeTagRequest): Promise<TagTrend> => {
    const { id, viewerId, displayName, isTrendable, isUsable, isListable } = request
    const { name } = orNotFound((await readTagById(deps.database, { id }))[0], `no tag ${id}`)
    if (displayName && normaliseTag(displayName) !== name) throw invalid('Display name does not match the previous name')
    const columns = { display: displayName || null, isUsable: isUsable ?? null, isListable: isListable ?? null }
    await transact(deps.database.db, async (tx) => {
      await changeTagRow(tx, { id, ...columns })
      if (isTrendable !== undefined) await reviewUsed(tx, { kind: 'tag', key: name, isApproved: isTrendable })
      await deps.outbox.append(tx, [tagChanged({ staffId: viewerId, target: `#${name}`, text: decisionsOf(request) })])
    })
    return read({ id, viewerId })
  }
}
