import type { Json, Who } from '../cast.ts'
import type { Walk } from '../walk.ts'
import { type Compare, plain } from './differences.ts'

const isPicture = (url: string): boolean => !url.includes('missing')

/** What both servers say of a profile. Hidden collections are no part of an actor, and counts are read now and then. */
const profileOf = (walk: Walk, account: Json) => ({
  ...{ name: account.display_name, note: plain(walk, account.note), uri: account.uri, moved: account.moved?.uri },
  fields: account.fields.map(({ name, value }: Json) => [name, plain(walk, value)]),
  ...{ locked: account.locked, discoverable: account.discoverable ?? false, indexable: account.indexable, bot: account.bot },
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

/** Both servers show the same profile of those who have a follower on the other server. */
export const compareProfiles = async (walk: Walk, compare: Compare): Promise<void> => {
  for (const one of walk.cast.actors.filter(({ isWatched, isGone }) => isWatched && !isGone)) {
    const [home, other] = [walk.cast.sides[one.side]!.watcher, walk.cast.sides[1 - one.side]!.watcher]
    const copyId = one.ids[other.side]!
    if (one.isSuspended) {
      const { body } = await other.person.get(`/api/v1/accounts/${copyId}`)
      compare(`${one.name} is suspended`, true, body.suspended)
      continue
    }
    compare(`profile of ${one.name}`, await read(walk, home, one.person.id), await read(walk, other, copyId))
  }
}
