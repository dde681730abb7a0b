import type { Person, World } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'
import type { Client } from './reload-client.ts'

/** An act that the server did: by whom (`staff` for the operator), and on which account or status. */
export type Done = { act: string; by: string; account?: string; status?: string; text: string }

/** A status that was published; `poll` is the id of its poll. */
export type Said = { id: string; by: Person; visibility: string; poll?: string; boosted?: string }

/** What acts happen in: people, four of whom have clients, and what they made so far. */
export type Scene = {
  readonly world: World
  readonly random: Random
  readonly people: readonly Person[]
  readonly viewers: readonly Person[]
  readonly staff: Person
  readonly clientOf: (person: Person) => Client | undefined
  readonly said: Said[]
  readonly announcements: string[]
  /** Accounts that staff limited or suspended. */
  readonly restricted: Set<string>
  /** The acts since the last comparison. */
  readonly done: Done[]
  /** A number that grows. */
  next(): number
}

/** An act with how often it is chosen. The server refuses what cannot be done; a refused act counts too. */
export type Act = readonly [weight: number, act: () => Promise<unknown>]

/** One of the people, the viewers more often, so that acts meet. */
export const someone = ({ random, people, viewers }: Scene): Person => random.of(random.chance(0.5) ? viewers : people)
export const another = ({ random, people }: Scene, than: Person): Person => random.of(people.filter((person) => person !== than))
/** A status, a recent one more often. */
export const something = ({ random, said }: Scene): Said | undefined =>
  said.length > 0 ? random.of(random.chance(0.6) ? said.slice(-8) : said) : undefined
/** An act on a status by someone; nothing while there is none. */
export const onStatus = (scene: Scene, act: (status: Said, by: Person) => Promise<unknown>) => async () => {
  const status = something(scene)
  if (status) await act(status, someone(scene))
}
