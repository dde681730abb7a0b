import { PAGE_SIZES } from '@rookery/contracts/limits'
import { TagsDefinition } from '@rookery/contracts/statuses'
import { type Database, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { followTag, unfollowTag } from './follow-tag.ts'
import { readFollowedTags, readTag } from './read-tags.ts'

/** Serves Tags of the contract: reading and following tags; their statuses are a timeline. */
export const createTagsRpc = (deps: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Handler => {
  const read = readTag(deps)
  const follow = followTag(deps)
  const unfollow = unfollowTag(deps)
  const readFollowed = readFollowedTags(deps)
  return handler(TagsDefinition, {
    read: (_call, { name, viewerId }) => read(name, viewerId),
    follow: (_call, request) => follow(request),
    unfollow: (_call, request) => unfollow(request),
    readFollowed: (_call, { viewerId, page }) => readFollowed(viewerId, pageWithin(PAGE_SIZES.tags, page)),
  })
}
