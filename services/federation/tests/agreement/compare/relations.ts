import type { Json, Who } from '../cast.ts'
import type { Walk } from '../walk.ts'
import type { Compare } from './differences.ts'

/** The relationship of one person to another, as the server of the first says. */
export type Relations = (from: Who, to: Who) => Json

/** Each relationship, and the same as the server of the other person says. */
const MIRRORED = [
  ['following', 'followed_by'],
  ['requested', 'requested_by'],
  ['blocking', 'blocked_by'],
] as const

const readRelations = async ({ cast }: Walk): Promise<Relations> => {
  const relations = new Map<Who, Map<string, Json>>()
  for (const one of cast.people.filter(({ isGone, isSuspended }) => !isGone && !isSuspended)) {
    const query = cast.people.map(({ ids }) => `id[]=${ids[one.side]}`).join('&')
    const { body } = await one.person.get(`/api/v1/accounts/relationships?with_suspended=true&${query}`)
    relations.set(one, new Map(body.map((relation: Json) => [relation.id, relation])))
  }
  return (from, to) => (to.isGone ? undefined : relations.get(from)?.get(to.ids[from.side]!))
}

/** Both servers say the same of whom each person follows, asks to follow and blocks. */
export const compareRelations = async (walk: Walk, compare: Compare): Promise<Relations> => {
  const relations = await readRelations(walk)
  const { people } = walk.cast
  const pairs = people.flatMap((one) => people.filter(({ side }) => side !== one.side).map((two) => [one, two] as const))
  for (const [one, two] of pairs) {
    const [own, other] = [relations(one, two), relations(two, one)]
    if (!own || !other) continue
    for (const [name, mirrored] of MIRRORED) compare(`${one.name} ${name} ${two.name}`, own[name], other[mirrored])
  }
  return relations
}
