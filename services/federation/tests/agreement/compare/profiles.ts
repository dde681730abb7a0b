import { FederationOperatorDefinition } from '@rookery/contracts/federation'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import type { Json, Side, Who } from '../cast.ts'
import type { Walk } from '../walk.ts'
import { type Compare, plain } from './differences.ts'

const isPicture = (url: string): boolean => !url.includes('missing')

/** What both servers say of a profile. Hidden collections are no part of an actor, and counts are read now and then. */
const profileOf = (walk: Walk, account: Json) => ({
  ...{ name: account.display_name, note: plain(walk, account.note), uri: account.uri, moved: account.moved?.uri },
  fields: account.fields.map(({ name, value }: Json) => [name, plain(walk, value)]),
  ...{ locked: account.locked, discoverable: account.discoverable ?? false, indexable: account.indexable, bot: account.bot },
  emojis: account.emojis.map(({ shortcode }: Json) => shortcode).sort(),
  ...{ hasAvatar: isPicture(account.avatar), hasHeader: isPicture(account.header) },
})

const isPublic = ({ visibility }: Json) => visibility === 'public' || visibility === 'unlisted'

/** A profile as a person reads it, with its featured hashtags and the pinned statuses that everyone may see. */
const read = async (walk: Walk, { person }: Who, id: string) => {
  const get = async (path: string): Promise<Json> => (await person.get(`/api/v1/accounts/${id}${path}`)).body
  const tags = (await get('/featured_tags')).map(({ name }: Json) => name.toLowerCase()).sort()
  const pinned = (await get('/statuses?pinned=true')).filter(isPublic).map(({ uri }: Json) => uri)
  return { ...profileOf(walk, await get('')), tags, pinned }
}

const COUNTS = ['followers_count', 'following_count', 'statuses_count'] as const

/** Both servers count the same once the profile is fetched again. */
const compareCounts = async ({ cast }: Walk, { side, ids, person, name }: Who, compare: Compare): Promise<void> => {
  const [home, other] = [cast.sides[side]!, cast.sides[1 - side]!]
  const read = async ({ watcher }: Side) => (await watcher.person.get(`/api/v1/accounts/${ids[watcher.side]}`)).body
  await operatorClient(other.world, FederationOperatorDefinition).refresh(innerCall(), { address: `@${person.username}@${home.host}` })
  await cast.idle()
  const [own, copy] = [await read(home), await read(other)]
  for (const count of COUNTS) compare(`${count} of ${name}`, own[count], copy[count])
}

/** No server shows someone as moved who has not moved, or to someone else. The other server learns of a move if they have followers there. */
const compareMoves = async ({ cast }: Walk, compare: Compare): Promise<void> => {
  for (const { side, ids, name } of cast.actors.filter(({ isGone, isSuspended, isBarred }) => !isGone && !isSuspended && !isBarred)) {
    const movedAt = async (at: number) => (await cast.sides[at]!.watcher.person.get(`/api/v1/accounts/${ids[at]}`)).body.moved?.uri
    const [own, other] = [await movedAt(side), await movedAt(1 - side)]
    compare(`${name} moved to`, own, other ?? own)
  }
}

/** Both servers show the same profile of those who have a follower on the other server. */
export const compareProfiles = async (walk: Walk, compare: Compare): Promise<void> => {
  await compareMoves(walk, compare)
  for (const one of walk.cast.actors.filter(({ isWatched, isGone }) => isWatched && !isGone)) {
    const [home, other] = [walk.cast.sides[one.side]!.watcher, walk.cast.sides[1 - one.side]!.watcher]
    const copyId = one.ids[other.side]!
    if (one.isSuspended || one.isBarred) {
      const { body } = await other.person.get(`/api/v1/accounts/${copyId}`)
      compare(`${one.name} is suspended`, true, body.suspended)
      continue
    }
    const unknown = walk.blocks.get(other.side)?.rejectsMedia ? { hasAvatar: undefined, hasHeader: undefined, emojis: undefined } : {}
    const [own, copy] = [await read(walk, home, one.person.id), await read(walk, other, copyId)]
    compare(`profile of ${one.name}`, { ...own, ...unknown }, { ...copy, ...unknown })
    await compareCounts(walk, one, compare)
  }
}
