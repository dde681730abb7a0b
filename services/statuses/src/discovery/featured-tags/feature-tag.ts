import type { FeaturedTag, TagRequest, TagView } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact, transactOnce } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { profileChanged } from '../../people/accounts/index.ts'
import { type NamedTag, readTag, TagWriter, tagOf } from '../../timelines/tags/index.ts'
import { refuseFurtherTags } from './featured-tag.rules.ts'
import { FeaturedTagWriter } from './featured-tag.store.ts'
import { listFeaturedTags } from './read-featured-tags.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }

/** Features a tag; returns false if it is featured already. @throws Failure invalid over the limit */
const show = ({ database, outbox, clock }: Deps, call: Call, { accountId, tag }: { accountId: string; tag: NamedTag }): Promise<boolean> =>
  transactOnce(database.db, { call, step: 'feature-tag' }, async (tx) => {
    const featured = new FeaturedTagWriter(tx)
    const shown = await featured.lock(accountId)
    if (shown.includes(tag.name)) return false
    refuseFurtherTags(shown.length)
    const now = new Date(clock.now())
    await new TagWriter(tx).name(tag, now)
    await featured.add(accountId, tag, now)
    await outbox.append(tx, [profileChanged(accountId)], call.trace)
    return true
  })

/**
 * Features a tag on the viewer's profile (spec, POST /api/v1/featured_tags).
 * @throws Failure invalid for an invalid or already featured tag, or over the limit
 */
export const addFeaturedTag = (deps: Deps) => {
  const list = listFeaturedTags(deps)
  return async (call: Call, { name: typed, viewerId }: TagRequest): Promise<FeaturedTag> => {
    const tag = tagOf(typed.trim())
    if (!tag) throw invalid('Tag is invalid')
    if (!(await show(deps, call, { accountId: viewerId, tag }))) throw invalid('Tag has already been taken')
    return orNotFound((await list(viewerId)).find(({ name }) => name === tag.name))
  }
}

/** Unfeatures a tag by its id. @throws Failure not_found if it is another's */
export const removeFeaturedTag =
  ({ database, outbox }: Deps) =>
  async (call: Call, { viewerId, id }: { viewerId: string; id: string }): Promise<void> => {
    const once = { call, step: 'remove-featured-tag' }
    const remove = async (tx: Tx<StatusesTables>) => {
      const isRemoved = await new FeaturedTagWriter(tx).remove(viewerId, id)
      if (isRemoved) await outbox.append(tx, [profileChanged(viewerId)], call.trace)
      return isRemoved
    }
    const wasThere = isId(id) && (await transactOnce(database.db, once, remove))
    if (!wasThere) throw notFound(`featured tag ${id} is not ${viewerId}'s`)
  }

/** Features a tag by its name; idempotent (beyond-the-spec 2.2). @throws Failure not_found for an invalid tag; invalid over the limit */
export const featureTag = (deps: Deps) => {
  const read = readTag(deps)
  return async (call: Call, { name: typed, viewerId }: TagRequest): Promise<TagView> => {
    await show(deps, call, { accountId: viewerId, tag: orNotFound(tagOf(typed), `${typed} is no tag`) })
    return read(typed, viewerId)
  }
}

/** Unfeatures a tag by its name, if it is featured. @throws Failure not_found for an invalid tag */
export const unfeatureTag = (deps: Deps) => {
  const read = readTag(deps)
  return async ({ name: typed, viewerId }: TagRequest): Promise<TagView> => {
    const { name } = orNotFound(tagOf(typed), `${typed} is no tag`)
    await transact(deps.database.db, async (tx) => {
      if (await new FeaturedTagWriter(tx).removeByName(viewerId, name)) await deps.outbox.append(tx, [profileChanged(viewerId)])
    })
    return read(typed, viewerId)
  }
}
