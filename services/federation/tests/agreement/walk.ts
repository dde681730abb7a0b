import type { Answer } from '@rookery/test-world'
import { type Random, randomFrom } from '@rookery/test-world/random'
import type { Cast, Json, Who } from './cast.ts'

/** A status that a person of the cast posted. */
export type Known = {
  readonly uri: string
  /** Its id at its own server. */
  readonly id: string
  readonly author: Who
  /** Its name in the log. */
  readonly label: string
  /** The ids, at its own server, of all accounts that it mentions or ever mentioned. */
  readonly mentioned: Set<string>
  readonly quoted?: Known | undefined
  /** Whether it had a poll when it was posted. */
  readonly hasPoll: boolean
  isDeleted: boolean
}

/** Random acts of the people of two servers: what they posted, and what happened, in words. */
export type Walk = {
  readonly cast: Cast
  /** Whether some deliveries are late, and some requests fail. */
  readonly hasFaults: boolean
  readonly random: Random
  readonly statuses: Known[]
  readonly log: string[]
  /** People whose statuses staff of the other server show as sensitive. */
  readonly judged: Set<Who>
  /** People whom staff of either server limited. */
  readonly limited: Set<Who>
  /** People who were hidden at a server, by staff of either, while something arrived there. */
  readonly hidden: Set<Who>
  /** The blocks of the other server's domain, by the side whose staff decided them. */
  readonly blocks: Map<number, DomainBlock>
}
export type DomainBlock = { readonly id: string; readonly rejectsMedia: boolean }

export const startWalk = (cast: Cast, seed: number, { hasFaults }: Pick<Walk, 'hasFaults'>): Walk => ({
  cast,
  hasFaults,
  random: randomFrom(seed),
  statuses: [],
  log: [],
  judged: new Set(),
  limited: new Set(),
  hidden: new Set(),
  blocks: new Map(),
})

/** Logs an act and its answer, and returns whether it took effect. An act may be refused, but not fail. */
export const took = ({ log }: Walk, act: string, { status, text }: Pick<Answer, 'status' | 'text'>): boolean => {
  const isTaken = status < 300
  log.push(isTaken ? act : `${act} -> ${status} ${text.slice(0, 100)}`)
  if (status >= 500) throw new Error(log.join('\n'))
  return isTaken
}

export const worldOf = ({ cast }: Walk, { side }: Who) => cast.sides[side]!.world
export const ownerOf = ({ cast }: Walk, { side }: Who) => cast.sides[side]!.owner

/** A few words, different from all before. */
export const words = ({ random, log, statuses }: Walk): string =>
  `${random.of(['robins', 'wrens', 'owls', 'larks'])} ${random.of(['sing', 'fly', 'nest'])} ${log.length}.${statuses.length}`

/** A handle as a person writes it. */
export const handleFor = ({ cast }: Walk, writer: Who, { side, person }: Who): string =>
  writer.side === side ? `@${person.username}` : `@${person.username}@${cast.sides[side]!.host}`

export const another = ({ cast, random }: Walk, me: Who): Who => random.of(cast.actors.filter((one) => one !== me && !one.isGone))
export const elsewhere = ({ cast, random }: Walk, me: Who): Who =>
  random.of(cast.actors.filter((one) => one.side !== me.side && !one.isGone))

/** The id of a status at one of the servers; undefined if the server does not know it. */
export const idAt = async ({ cast }: Walk, side: number, { author, id, uri }: Known): Promise<string | undefined> =>
  author.side === side ? id : (await cast.sides[side]!.world.query('select id from statuses.status where uri = $1', [uri]))[0]?.id

/** The latest statuses that the person's server knows, with their ids there, the latest first. */
export const knownTo = async (walk: Walk, { side }: Who, accepts: (status: Known) => boolean = () => true) => {
  const candidates = walk.statuses.filter((status) => !status.isDeleted && accepts(status)).slice(-30)
  const ids = await Promise.all(candidates.map((status) => idAt(walk, side, status)))
  return candidates.flatMap((status, index) => (ids[index] ? [{ status, id: ids[index] }] : [])).reverse()
}

/** Posts a status, if the server takes it. */
export const post = async (walk: Walk, me: Who, body: Json, { what = '', quoted }: { what?: string; quoted?: Known } = {}) => {
  const label = `s${walk.statuses.length}`
  const answer = await me.person.post('/api/v1/statuses', body)
  if (!took(walk, `${me.name} posts ${label} ${what} ${JSON.stringify(body)}`, answer)) return
  const { uri, id, mentions, poll } = answer.body
  const mentioned = new Set<string>(mentions.map((one: Json) => one.id))
  walk.statuses.push({ uri, id, author: me, label, mentioned, quoted, hasPoll: poll !== null, isDeleted: false })
}
