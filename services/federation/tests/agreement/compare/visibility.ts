import type { Json, Who } from '../cast.ts'
import type { Known } from '../walk.ts'
import type { Relations } from './relations.ts'

/** Whether a person of the other server may see a status, by what its own server knows; undefined if that is open. */
export const maySee = (relations: Relations, { author, mentioned }: Known, home: Json, reader: Who): boolean | undefined => {
  const relation = relations(author, reader)
  const id = reader.ids[author.side]!
  if (relation?.blocking || relation?.domain_blocking) return false
  if (home.mentions.some((mention: Json) => mention.id === id)) return true
  // An edit took the mention away; who was mentioned has had the status.
  if (mentioned.has(id)) return undefined
  if (home.visibility === 'direct') return false
  return home.visibility !== 'private' || relation?.followed_by === true
}

/** Whether the other server must have a status: its author is followed there by someone who may see it, or it mentions the reader. */
export const mustArrive = ({ author }: Known, home: Json, reader: Who): boolean =>
  (author.isWatched && home.visibility !== 'direct') || home.mentions.some(({ id }: Json) => id === reader.ids[author.side])
