import type { Json, Who } from '../cast.ts'
import type { Walk } from '../walk.ts'

/** Notes a difference between what the home server and the other one say. */
export type Compare = (about: string, home: unknown, other: unknown) => void

/** The attributes that each server sets on links of its own accord. */
const OWN_ATTRIBUTES = / (?:rel|target|translate|class)="[^"]*"/g

/** HTML without what differs in how two servers write the same. */
export const plain = ({ cast }: Walk, html: string): string =>
  cast.sides
    .reduce((text, { host }, side) => text.replaceAll(host, `side${side}.example`), html)
    .replaceAll(OWN_ATTRIBUTES, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")

/** Those of these statuses that a person may see, by uri. */
export const readStatuses = async ({ person }: Who, ids: readonly string[]): Promise<Map<string, Json>> => {
  const found = new Map<string, Json>()
  for (let start = 0; start < ids.length; start += 20) {
    const query = ids.slice(start, start + 20).map((id) => `id[]=${id}`)
    for (const status of (await person.get(`/api/v1/statuses?${query.join('&')}`)).body) found.set(status.uri, status)
  }
  return found
}

/** The uri of each status that a server knows, by id. */
export const urisAt = async ({ cast, statuses }: Walk, side: number): Promise<Map<string, string>> => {
  const rows = await cast.sides[side]!.world.query('select id, uri from statuses.status where uri is not null')
  const local = statuses.filter(({ author, isDeleted }) => author.side === side && !isDeleted && !author.isGone)
  return new Map([...rows, ...local].map(({ id, uri }) => [id, uri]))
}
