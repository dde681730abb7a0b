import { EmojiOperatorDefinition } from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { found } from '../two-servers.ts'
import { openWire, type Wire } from './wire.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
export type Json = any

/** A person of one of the two servers, 0 and 1. */
export type Who = {
  readonly person: Person
  readonly side: number
  readonly name: string
  /** The ids of the account at server 0 and at server 1. */
  readonly ids: string[]
  /** Whether the watcher of the other server follows them, so that it gets everything that followers get. */
  isWatched: boolean
  isSuspended: boolean
  /** Whether staff of the other server suspended them, there alone. */
  isBarred: boolean
  hasMoved: boolean
  isGone: boolean
}
export type Side = { world: World; wire: Wire; host: string; owner: Person; watcher: Who }

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The emojis of both servers. */
const EMOJIS = ['wren', 'owl_2']
const WATCHED = ['ada', 'bea', 'cal']
const UNWATCHED = ['dov', 'eli']

const openSide = async (name: string): Promise<Side & { people: Who[] }> => {
  const wire = await openWire()
  const host = `${name}:${wire.port}`
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const world = await World.open({ resolve, settings: { FEDERATION_ALLOW_PRIVATE: 'true', BASE_URL: `http://${host}` } })
  wire.leadTo(world.origin)
  const side = name === 'here.example' ? 0 : 1
  const who = async (username: string): Promise<Who> => {
    const person = await world.person(username)
    const isWatched = WATCHED.includes(username)
    return {
      person,
      side,
      name: `${username}@${side}`,
      ids: [],
      isWatched,
      isSuspended: false,
      isBarred: false,
      hasMoved: false,
      isGone: false,
    }
  }
  const people = await Promise.all([...WATCHED, ...UNWATCHED].map(who))
  for (const shortcode of EMOJIS) {
    await operatorClient(world, EmojiOperatorDefinition).import(innerCall(), { shortcode, category: '', picture: PIXEL })
  }
  return { world, wire, host, owner: await world.owner('staff'), watcher: await who('watcher'), people }
}

const QUIET = `select (select max(sequence) from federation.received_activity) received, (select count(*) from federation.delivery) sent,
  (select count(*) from federation.delivery where result is null) pending`

/** Runs due work of both servers until neither sends anything more. */
const idleOf = (sides: readonly Side[]) => async () => {
  let before = ''
  for (let round = 0; round < 16; round++) {
    for (const { world } of sides) await world.advance(0)
    const after = JSON.stringify(await Promise.all(sides.map(({ world }) => world.query(QUIET))))
    if (after === before) return
    before = after
  }
}

/** Waits until the watchers follow whom they watch, without which nothing would be sent. @throws Error if they never do */
const untilFollowed = async (sides: readonly Side[], actors: readonly Who[], idle: () => Promise<void>) => {
  const isFollowed = async ({ side, ids }: Who) => {
    const other = 1 - side
    return (await sides[other]!.watcher.person.get(`/api/v1/accounts/relationships?id[]=${ids[other]}`)).body[0].following
  }
  for (let round = 0; round < 20; round++) {
    await idle()
    const followed = await Promise.all(actors.filter(({ isWatched }) => isWatched).map(isFollowed))
    if (followed.every(Boolean)) return
  }
  throw new Error('not everyone who is watched is followed')
}

/** The watcher of the other server asks to follow someone. */
export const watch = async (sides: readonly Side[], { side, ids }: Who) => {
  await sides[1 - side]!.watcher.person.post(`/api/v1/accounts/${ids[1 - side]}/follow`)
}

/** Opens two servers with five people each. A watcher on each follows three people of the other server, and does nothing else. */
export const openCast = async () => {
  const sides = await Promise.all(['here.example', 'there.example'].map(openSide))
  const actors = sides.flatMap(({ people }) => people)
  const people = [...actors, ...sides.map(({ watcher }) => watcher)]
  for (const one of people) {
    const { watcher } = sides[1 - one.side]!
    one.ids[one.side] = one.person.id
    one.ids[1 - one.side] = (await found(watcher.person, `@${one.person.username}@${sides[one.side]!.host}`)).id
    if (one.isWatched) await watch(sides, one)
  }
  const idle = idleOf(sides)
  await untilFollowed(sides, actors, idle)
  return {
    sides: sides as readonly Side[],
    /** Those who act. */
    actors,
    /** Those who act, and the watchers. */
    people,
    idle,
    async advance(milliseconds: number) {
      for (const { world } of sides) await world.advance(milliseconds)
      await idle()
    },
    async close() {
      await Promise.all(sides.map(({ world }) => world.close()))
      for (const { wire } of sides) wire.close()
    },
  }
}
export type Cast = Awaited<ReturnType<typeof openCast>>
