import type { Answer, Person, World } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'

// What all parts of a walk through time share: who is there, what they said, and what is compared.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
export type Json = any

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Something that is done, or nothing where there is nothing to do it with. */
export type Act = () => Promise<void>

export type Compare = (what: string, is: unknown, wanted: unknown) => void

export type Said = { id: string; author: Person; text: string }

/** A part of what time changes: its acts with their weights, what passes when time does, and what everyone is shown. */
export type Part = {
  acts: readonly (readonly [weight: number, act: Act])[]
  passed?: () => Promise<void>
  compare: (compare: Compare) => Promise<void>
}

export class Facts {
  readonly world: World
  readonly random: Random
  readonly people: readonly Person[]
  /** Those whose login is disabled: they do nothing. */
  readonly disabled = new Set<Person>()
  /** The texts of statuses. */
  readonly said = new Map<string, Said>()
  readonly faults: string[] = []
  readonly log: string[] = []
  #texts = 0

  constructor(world: World, random: Random, people: readonly Person[]) {
    this.world = world
    this.random = random
    this.people = people
  }

  now(): number {
    return this.world.clock.now()
  }

  /** A time from now, as the API writes it. */
  in(milliseconds: number): string {
    return new Date(this.now() + milliseconds).toISOString()
  }

  /** A text that nothing else has. */
  text(): string {
    return `text ${++this.#texts}`
  }

  /** Those who may act. */
  get actors(): Person[] {
    return this.people.filter((person) => !this.disabled.has(person))
  }

  /** Something of those who may act. */
  one<Thing extends { author: Person }>(things: ReadonlyMap<string, Thing>): Thing | undefined {
    const own = [...things.values()].filter(({ author }) => !this.disabled.has(author))
    return own.length > 0 ? this.random.of(own) : undefined
  }

  /** Someone who may act, and someone else. */
  two(): [Person, Person] {
    const one = this.random.of(this.actors)
    return [one, this.random.of(this.people.filter((other) => other !== one))]
  }

  /** Notes an act with its answer; returns whether it was done. */
  note(what: string, { status, text }: Answer, wanted = 200): boolean {
    this.log.push(`${status} ${what}`)
    if (status !== wanted) this.faults.push(`${what} is answered ${status} ${text}, not ${wanted}`)
    return status === 200
  }
}
