import type { TagRequest, TagView } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readTag } from './read-tags.ts'
import { tagFollowed, tagUnfollowed } from './tag.events.ts'
import { tagOf } from './tag.rules.ts'
import { TagWriter } from './tag.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

/** Follows a tag, used or not; idempotent (spec, Transitions). @throws Failure not_found for an invalid tag */
export const followTag = (deps: Deps) => {
  const read = readTag(deps)
  return async ({ name: typed, viewerId }: TagRequest): Promise<TagView> => {
    const tag = orNotFound(tagOf(typed), `${typed} is no tag`)
    await transact(deps.database.db, async (tx) => {
      const tags = new TagWriter(tx)
      const now = new Date(deps.clock.now())
      await tags.name(tag, now)
      if (!(await tags.follow(viewerId, tag.name, now))) return
      await deps.outbox.append(tx, [tagFollowed({ accountId: viewerId, tag: tag.name })])
    })
    return read(typed, viewerId)
  }
}

/** Unfollows a tag, if it is followed (spec, Transitions). @throws Failure not_found for an invalid tag */
export const unfollowTag = (deps: Deps) => {
  const read = readTag(deps)
  return async ({ name: typed, viewerId }: TagRequest): Promise<TagView> => {
    const { name } = orNotFound(tagOf(typed), `${typed} is no tag`)
    await transact(deps.database.db, async (tx) => {
      if (!(await new TagWriter(tx).unfollow(viewerId, name))) return
      await deps.outbox.append(tx, [tagUnfollowed({ accountId: viewerId, tag: name })])
    })
    return read(typed, viewerId)
  }
}
