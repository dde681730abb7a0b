import type { Answer, Person } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'
import { dayOfId, type Facts, type Poll, type Said } from './facts.ts'

// What all kinds of acts need: whom and what they are about, and which facts they write and read.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
export type Json = any

/** A request, and its effect on the facts once it is acknowledged. */
export type Act = {
  by: Person
  method: string
  path: string
  body?: unknown
  /** Acts run at once unless one writes a fact that another writes or reads. */
  writes: string[]
  reads: string[]
  done: (answer: Json) => void
  /** Whether it may be done although the answer is 404, because the person may not see what it is about. */
  isDoneUnseen?: boolean
  /** Takes the act back: the answer does not say whether it was done before a block that came at the same time. */
  undo?: { path: string; done: () => void }
  /** Sends what is not one request of the API. */
  send?: () => Promise<Answer>
}

/** Draws an act; undefined if there is nothing that it could be about. */
export type Maker = () => Act | undefined

export type Stage = {
  facts: Facts
  people: readonly Person[]
  owner: Person
  random: Random
  now: () => number
  /** Deletes the person's account. */
  leave: (person: Person) => Promise<Answer>
}

export const TAGS = ['tea', 'rain', 'moss']
export const VISIBILITIES = ['public', 'public', 'unlisted', 'private', 'direct'] as const
export const POLICIES = ['public', 'public', 'followers', 'nobody']
const WORDS = [...'abcdefghijk']

/** Facts by what they are about. */
export const existenceOf = (...ids: string[]) => ids.map((id) => `account ${id}`)
export const pairOf = (one: string, other: string) => `pair ${[one, other].toSorted().join(' ')}`
/** Whether an account is notified of another's act. */
export const notifiedOf = (by: string, id: string | undefined, answered?: string) =>
  id ? [pairOf(by, id), `mute ${id} ${by}`, ...(answered ? [pairOf(id, answered)] : [])] : []

/** Draws people and statuses; some more often than others, so that acts meet. */
export const drawing = ({ facts, people, random }: Stage) => {
  const account = (id: string) => facts.accounts.get(id)!
  const here = () => people.filter(({ id }) => !account(id).isGone)
  const active = () => here().filter(({ id }) => !account(id).isSuspended)
  const one = (some: readonly Person[]) => random.of(random.chance(0.6) ? some.slice(0, 5) : some)
  const originals = () => [...facts.statuses.values()].filter(({ boostOf }) => boostOf === undefined)
  const draw = <Thing>(some: readonly Thing[]) => (some.length === 0 ? undefined : random.of(some))
  return {
    here,
    active,
    draw,
    /** Anyone, and anyone who is not suspended. */
    person: () => one(here()),
    actor: () => one(active()),
    status: () => draw(random.chance(0.7) ? originals().slice(-8) : originals()),
    ownStatus: (by: string) => draw(originals().filter((said) => said.by === by)),
    /** A text with tags, and whom it mentions. */
    text: () => {
      const tags = TAGS.filter(() => random.chance(0.25)).map((tag) => ` #${tag}`)
      const named = random.chance(0.35) ? one(here()) : undefined
      return { status: `${random.of(WORDS)} ${random.of(WORDS)}${tags.join('')}${named ? ` @${named.username}` : ''}`, named: named?.id }
    },
  }
}
export type Drawing = ReturnType<typeof drawing>

/** A poll as a form and as a fact. */
export const newPoll = ({ random, now }: Stage): { form: Json; fact: Poll } => {
  const options = ['yes', 'no', 'perhaps'].slice(0, random.of([2, 3]))
  const form = { options, expires_in: random.of([300, 7200, 200_000]), multiple: random.chance(0.5), hide_totals: random.chance(0.3) }
  const fact = {
    options,
    isMultiple: form.multiple,
    hidesTotals: form.hide_totals,
    endsAt: now() + form.expires_in * 1000,
    votes: new Map(),
  }
  return { form, fact }
}

/** The status of an answer, as a fact. */
export const saidFrom = (body: Json, more: Partial<Said> = {}): Said => ({
  id: body.id,
  by: body.account.id,
  visibility: body.visibility,
  day: dayOfId(body.id),
  parent: undefined,
  answers: undefined,
  thread: body.id,
  tags: body.tags.map(({ name }: Json) => name),
  mentions: body.mentions.map(({ id }: Json) => id),
  ...more,
})

/** Adds a status, and notifies those it mentions and the author it quotes. */
export const publish = (facts: Facts, said: Said) => {
  facts.add(said)
  for (const id of said.mentions) facts.notifyOfMention(id, said)
  const quoted = facts.statuses.get(said.quote?.of ?? '')
  if (quoted) facts.notify(quoted.by, 'quote', said.by, said)
}
