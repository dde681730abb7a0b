import { key, type Said } from './facts.ts'
import { type Drawing, existenceOf, type Json, type Maker, notifiedOf, type Stage, saidFrom } from './stage.ts'

// What people do with statuses of others: favourites, boosts, bookmarks, muted threads, votes.

type Effect = (by: string, said: Said, body: Json) => void
/** A request that sets a mark and one that removes it, with their effects. */
type Mark = { add: string; remove: string; added: Effect; removed: Effect; more?: (said: Said) => { writes?: string[]; reads?: string[] } }

/** A mark that the author is notified of, once. */
const noticed = ({ facts }: Stage, type: string, isMarked: (by: string, said: Said) => boolean, mark: Mark): Mark => ({
  ...mark,
  added: (by, said, body) => {
    if (!isMarked(by, said)) facts.notify(said.by, type, by, said)
    mark.added(by, said, body)
  },
  removed: (by, said, body) => {
    mark.removed(by, said, body)
    facts.withdraw(said.by, type, by, said.id)
  },
  more: ({ thread }) => ({ reads: [`threads ${thread}`] }),
})

/** The two requests of a mark. */
const requests = (
  { facts }: Stage,
  { actor, status }: Drawing,
  { add, remove, added, removed, more }: Mark,
): { set: Maker; unset: Maker } => {
  const make = (verb: string, effect: Effect): Maker => {
    return () => {
      const [by, said] = [actor(), status()]
      if (!said) return undefined
      const { writes = [], reads = [] } = more?.(said) ?? {}
      return {
        ...{ by, method: 'POST', path: `/api/v1/statuses/${said.id}/${verb}`, writes: [`${remove} ${by.id} ${said.id}`, ...writes] },
        reads: [...existenceOf(by.id, said.by), `status ${said.id}`, ...notifiedOf(by.id, said.by), ...reads],
        done: (body) => facts.statuses.has(said.id) && effect(by.id, said, body),
        isDoneUnseen: verb === remove,
        undo: { path: `/api/v1/statuses/${said.id}/${remove}`, done: () => removed(by.id, said, undefined) },
      }
    }
  }
  return { set: make(add, added), unset: make(remove, removed) }
}

export const marking = (stage: Stage, drawing: Drawing) => {
  const { facts } = stage
  const marks = (set: Set<string>, idOf: (said: Said) => string): Pick<Mark, 'added' | 'removed'> => ({
    added: (by, said) => set.add(key(by, idOf(said))),
    removed: (by, said) => set.delete(key(by, idOf(said))),
  })
  const boostsOf = (by: string, { id }: Said) => [...facts.statuses.values()].filter((other) => other.by === by && other.boostOf === id)
  const boosts: Pick<Mark, 'added' | 'removed'> = {
    added: (by, said, body) => {
      if (boostsOf(by, said).length === 0) facts.add(saidFrom(body, { boostOf: said.id, thread: said.thread, tags: [], mentions: [] }))
    },
    removed: (by, said) => {
      for (const { id } of boostsOf(by, said)) facts.remove(id)
    },
  }
  const isFavourite = (by: string, { id }: Said) => facts.favourites.has(key(by, id))
  const favourite = { add: 'favourite', remove: 'unfavourite', ...marks(facts.favourites, ({ id }) => id) }
  const reblog = { add: 'reblog', remove: 'unreblog', ...boosts }
  const bookmark = { add: 'bookmark', remove: 'unbookmark', ...marks(facts.bookmarks, ({ id }) => id) }
  const muted = marks(facts.mutedThreads, ({ thread }) => thread)
  const mute = { add: 'mute', remove: 'unmute', ...muted, more: ({ thread }: Said) => ({ writes: [`threads ${thread}`] }) }
  const isBoosted = (by: string, said: Said) => boostsOf(by, said).length > 0
  return {
    favourite: requests(stage, drawing, noticed(stage, 'favourite', isFavourite, favourite)),
    reblog: requests(stage, drawing, noticed(stage, 'reblog', isBoosted, reblog)),
    bookmark: requests(stage, drawing, bookmark),
    mute: requests(stage, drawing, mute),
  }
}

export const voting =
  ({ facts, random }: Stage, { actor, draw }: Drawing): Maker =>
  () => {
    const by = actor()
    const said = draw([...facts.statuses.values()].filter(({ poll }) => poll !== undefined).slice(-4))
    if (!said) return undefined
    const all = said.poll!.options.map((_, index) => index)
    const choices = said.poll!.isMultiple ? all.filter(() => random.chance(0.5)) : [random.of(all)]
    return {
      ...{ by, method: 'POST', path: `/api/v1/polls/${said.id}/votes`, body: { choices } },
      ...{ writes: [`vote ${by.id} ${said.id}`], reads: [`status ${said.id}`, ...existenceOf(by.id, said.by)] },
      done: () => said.poll?.votes.set(by.id, choices),
    }
  }
