import type { Json, Who } from '../cast.ts'
import type { Walk } from '../walk.ts'
import { type Compare, urisAt } from './differences.ts'

/** The replies below a status that everyone may see and both servers know. */
const below = async (reader: Who, id: string, isKnown: (uri: string) => boolean): Promise<string[] | undefined> => {
  const { status, body } = await reader.person.get(`/api/v1/statuses/${id}/context`)
  if (status !== 200) return undefined
  const replies: Json[] = body.descendants
  const isPublic = ({ visibility }: Json) => visibility === 'public' || visibility === 'unlisted'
  return replies
    .filter((reply) => isPublic(reply) && isKnown(reply.uri))
    .map(({ uri }) => uri)
    .sort()
}

/** Whether readers may not see someone's replies at one of the servers, unless they follow them. */
const isLimited = ({ limited, blocks }: Walk, author: Who): boolean =>
  author.isSuspended || author.isBarred || limited.has(author) || (!author.isWatched && blocks.has(1 - author.side))

/** The same public replies are below a status on both servers, among those that both know. */
export const compareThreads = async (walk: Walk, side: number, compare: Compare): Promise<void> => {
  const [uriAt, uriAtHome] = [await urisAt(walk, side), await urisAt(walk, 1 - side)]
  const [known, knownAtHome] = [new Set(uriAt.values()), new Set(uriAtHome.values())]
  const hidden = new Set(walk.statuses.filter(({ author }) => isLimited(walk, author)).map(({ uri }) => uri))
  const isKnown = (uri: string) => known.has(uri) && knownAtHome.has(uri) && !hidden.has(uri)
  const idOf = new Map([...uriAt].map(([id, uri]) => [uri, id]))
  const theirs = walk.statuses.filter(
    ({ author, isDeleted }) => author.side !== side && !isDeleted && !author.isGone && !author.isSuspended && !author.isBarred,
  )
  for (const { uri, id, label } of theirs.slice(-20)) {
    const copyId = idOf.get(uri)
    if (!copyId) continue
    const home = await below(walk.cast.sides[1 - side]!.watcher, id, isKnown)
    const other = await below(walk.cast.sides[side]!.watcher, copyId, isKnown)
    if (home && other) compare(`below ${label}`, home, other)
  }
}
