import type { Json, Who } from '../cast.ts'
import type { Known, Walk } from '../walk.ts'
import { contents, getsEdits } from './content.ts'
import { type Compare, readStatuses, urisAt } from './differences.ts'
import type { Relations } from './relations.ts'
import { maySee, mustArrive } from './visibility.ts'

/** A status at its own server as its author sees it, and at the other one as each of its people who may do. */
type Shown = { status: Known; home: Json; copies: Map<Who, Json> }

const readShown = async (there: readonly Known[], { idOf, readers }: { idOf: Map<string, string>; readers: readonly Who[] }) => {
  const homes = new Map<string, Json>()
  for (const author of new Set(there.map((status) => status.author).filter(({ isSuspended }) => !isSuspended))) {
    const own = there.filter((status) => status.author === author).map(({ id }) => id)
    for (const [uri, home] of await readStatuses(author, own)) homes.set(uri, home)
  }
  const ids = there.flatMap(({ uri }) => idOf.get(uri) ?? [])
  const seen = new Map<Who, Map<string, Json>>()
  for (const reader of readers) seen.set(reader, await readStatuses(reader, ids))
  return there.map((status): Shown => {
    const copies = [...seen].flatMap(([reader, found]) => (found.has(status.uri) ? [[reader, found.get(status.uri)] as const] : []))
    return { status, home: homes.get(status.uri), copies: new Map(copies) }
  })
}

const mentions = (home: Json, { ids }: Who, { author }: Known): boolean =>
  home.mentions.some((mention: Json) => mention.id === ids[author.side])

/** A status is seen by those of the other server who may see it, and by no one else. */
const compareReaders = (walk: Walk, relations: Relations, { status, home, copies }: Shown, readers: readonly Who[], compare: Compare) => {
  for (const reader of readers) {
    const may = walk.hidden.has(reader) && mentions(home, reader, status) ? undefined : maySee(relations, status, home, reader)
    const about = `${status.label} (${home.visibility}, of ${status.author.name}) is seen by ${reader.name}`
    if (may === false || (may && mustArrive(status, home, reader))) compare(about, may, copies.has(reader))
  }
}

/** The author's server lists those who see themselves among the ones who favourited or boosted it. */
const compareReactions = async (relations: Relations, { status, copies }: Shown, compare: Compare) => {
  const { author, id } = status
  const lists = [
    ['favourited', 'favourited_by'],
    ['reblogged', 'reblogged_by'],
  ] as const
  for (const [flag, list] of lists) {
    const listed = new Set((await author.person.get(`/api/v1/statuses/${id}/${list}?limit=80`)).body.map((account: Json) => account.id))
    for (const [reader, copy] of copies) {
      const [own, other] = [relations(author, reader), relations(reader, author)]
      // Lists omit those whom the author blocks or mutes.
      if (own?.blocking || own?.muting || own?.domain_blocking || other?.blocking) continue
      compare(`${status.label} is ${flag} by ${reader.name}`, listed.has(reader.ids[author.side]), copy[flag])
    }
  }
}

type At = { idOf: Map<string, string>; uriAt: Map<string, string>; uriAtHome: Map<string, string> }

/** A status is a reply to the same status at both servers, if both know it. */
const compareParents = ({ status, home, copies }: Shown, { uriAt, uriAtHome }: At, compare: Compare) => {
  const [copy] = copies.values()
  const parent = uriAtHome.get(home.in_reply_to_id)
  const isKnown = [...uriAt.values()].includes(parent ?? '')
  if (!copy || !isKnown) return
  compare(`${status.label} is in reply to`, parent, uriAt.get(copy.in_reply_to_id))
}

const compareContents = (walk: Walk, { status, home, copies }: Shown, { idOf }: At, compare: Compare) => {
  const { watcher } = walk.cast.sides[1 - status.author.side]!
  const copy = copies.get(watcher) ?? [...copies.values()][0]
  const knows = (known: Known) =>
    !known.isDeleted && !walk.hidden.has(known.author) && (known.author.side === watcher.side || idOf.has(known.uri))
  const said = copy && contents(walk, status, { home, copy, knows })
  if (said) compare(`${status.label} of ${status.author.name}`, said.home, said.other)
}

/** What people of one server posted is at the other server what it is at home, for those who may see it. */
export const compareStatuses = async (walk: Walk, side: number, { relations, compare }: Comparison): Promise<void> => {
  const [uriAt, uriAtHome] = [await urisAt(walk, side), await urisAt(walk, 1 - side)]
  const idOf = new Map([...uriAt].map(([id, uri]) => [uri, id]))
  const at = { idOf, uriAt, uriAtHome }
  const readers = walk.cast.people.filter((who) => who.side === side && !who.isGone && !who.isSuspended && !who.isBarred)
  const theirs = walk.statuses.filter(({ author }) => author.side !== side)
  const gone = theirs.filter(({ isDeleted, author }) => isDeleted || author.isGone)
  compare(
    'deleted statuses that are known elsewhere',
    [],
    gone.filter((status) => idOf.has(status.uri) && (status.author.isGone || getsEdits(walk, status))).map(({ label }) => label),
  )
  const there = theirs.filter((status) => !gone.includes(status))
  for (const shown of await readShown(there, { idOf, readers })) {
    if (shown.status.author.isSuspended || shown.status.author.isBarred) {
      compare(
        `${shown.status.label} of a suspended account is seen by`,
        [],
        [...shown.copies.keys()].map(({ name }) => name),
      )
      continue
    }
    compareReaders(walk, relations, shown, readers, compare)
    compareContents(walk, shown, at, compare)
    compareParents(shown, at, compare)
    await compareReactions(relations, shown, compare)
  }
}
export type Comparison = { relations: Relations; compare: Compare }
