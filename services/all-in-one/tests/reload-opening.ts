import type { Person, World } from '@rookery/test-world'
import { type Random, randomFrom } from '@rookery/test-world/random'
import { DAY, uploads } from '@rookery/test-world/scheduling'
import { type Client, openClient } from './reload-client.ts'
import { TAG } from './reload-model.ts'
import { peopleActs } from './reload-people-acts.ts'
import type { Scene } from './reload-scene.ts'
import { statusActs } from './reload-status-acts.ts'

const [PEOPLE, VIEWERS] = [10, 4]

/** Two lists of a viewer, with the bell and some of those they follow. */
const listsOf = async (viewer: Person, bell: Person, followed: readonly Person[], random: Random): Promise<string[]> => {
  const lists: string[] = []
  for (const replies_policy of ['followed', 'list']) {
    const { id } = (await viewer.post('/api/v1/lists', { title: replies_policy, replies_policy })).body
    const members = [bell, ...followed.filter(() => random.chance(0.5))]
    await viewer.post(`/api/v1/lists/${id}/accounts`, { account_ids: members.map((member) => member.id) })
    lists.push(id)
  }
  return lists
}

const chooserOf = (scene: Scene) => {
  const acts = [...statusActs(scene), ...peopleActs(scene)]
  const weighted = acts.flatMap(([weight, act]) => Array.from({ length: weight * 10 }, () => act))
  return () => scene.random.of(weighted)()
}

/** Resolves when all that happened so far was sent to these clients: messages are sent in the order of one log, and markers come last. */
const heardAll = async (world: World, clients: readonly Client[], position: number): Promise<void> => {
  await world.advance(0)
  for (const { person } of clients) await person.post('/api/v1/markers', { home: { last_read_id: String(position) } })
  await world.idle()
  await Promise.all(clients.map((client) => client.hears([`user:markers ${position}`])))
}

/** Resolves when every resumed stream has sent what it missed: each is behind the others until then. */
const caughtUp = async (world: World, bell: Person, client: Client): Promise<void> => {
  const { id } = await bell.says(`ring #${TAG}`, { media_ids: [await uploads(bell)] })
  const direct = await bell.says(`psst @${client.person.username}`, { visibility: 'direct' })
  await world.idle()
  const timelines = client.keys.filter((key) => key !== 'user').map((key) => `${key} ${id}`)
  await client.hears([...timelines, ...['user', 'direct', 'user:notification'].map((key) => `${key} ${direct.id}`)])
}

/**
 * Ten people of whom some follow each other, with connected clients of four of them. Whom all four follow and have on their lists, and whom no act
 * concerns, rings the bell that ends what a resumed stream missed.
 */
export const openScene = async (world: World, seed: number) => {
  const random = randomFrom(seed)
  const people = Object.values(await world.cast(...Array.from({ length: PEOPLE }, (_, index) => `person${index}`)))
  const { bell } = await world.cast('bell')
  const staff = await world.owner('staff')
  const viewers = people.slice(0, VIEWERS)
  await bell.says(`first #${TAG}`)
  const clients = new Map<string, Client>()
  for (const viewer of viewers) {
    const followed = people.filter((person) => person !== viewer && random.chance(0.5))
    for (const person of [bell, ...followed]) await viewer.follows(person)
    await bell.follows(viewer)
    if (random.chance(0.5)) await viewer.post('/api/v1/tags/cake/follow')
    await world.idle()
    clients.set(viewer.id, await openClient(world, viewer, await listsOf(viewer, bell, followed, random)))
  }
  // Policies on new followers do not concern the bell.
  await world.advance(4 * DAY)
  const all = [...clients.values()]
  for (const client of all) await client.connect()
  let [numbers, positions] = [0, 0]
  const allSent = () => heardAll(world, all, ++positions)
  await allSent()
  for (const client of all) client.show(await client.reload())
  const scene: Scene = {
    ...{ world, random, people, viewers, staff, clientOf: (person) => clients.get(person.id) },
    ...{ said: [], announcements: [], restricted: new Set(), done: [], next: () => ++numbers },
  }
  return { scene, clients: all, act: chooserOf(scene), caughtUp: (client: Client) => caughtUp(world, bell, client), allSent }
}
