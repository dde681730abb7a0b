import type { FeaturedTag } from '@rookery/contracts/statuses'
import type { Addresses } from './addresses.ts'

/** FeaturedTag (spec, Resources): its count is a number, and last_status_at a date (beyond-the-spec 0.3, 0.4). */
export const featuredTagEntity = (tag: FeaturedTag, urls: Addresses) => ({
  id: tag.id,
  name: tag.display,
  url: urls.profileTag(tag.ownerUsername, tag.name),
  statuses_count: tag.statusesCount,
  last_status_at: tag.lastStatusOn ?? null,
})
