import { FeaturedTagsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { acknowledging, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { addFeaturedTag, featureTag, removeFeaturedTag, unfeatureTag } from './feature-tag.ts'
import { listFeaturedTags, suggestTags } from './read-featured-tags.ts'
import { replaceFeaturedTags } from './replace-featured-tags.ts'

/** Serves FeaturedTags of the contract. */
export const createFeaturedTagsRpc = (deps: { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }): Handler => {
  const list = listFeaturedTags(deps)
  const suggest = suggestTags(deps)
  const add = addFeaturedTag(deps)
  const remove = removeFeaturedTag(deps)
  const feature = featureTag(deps)
  const unfeature = unfeatureTag(deps)
  const replace = replaceFeaturedTags(deps)
  return handler(FeaturedTagsDefinition, {
    list: async (_call, { accountId }) => ({ featuredTags: await list(accountId) }),
    add,
    remove: async (call, request) => {
      await remove(call, request)
      return {}
    },
    feature,
    unfeature: (_call, request) => unfeature(request),
    replace: acknowledging(replace),
    suggest: async (_call, { viewerId }) => ({ tags: await suggest(viewerId) }),
  })
}
