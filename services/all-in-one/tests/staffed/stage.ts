import { holds, mayActOn, ROLES, type RoleName } from '@rookery/contracts/permissions'
import type { Answer, Person, World } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'

// What all areas of a walk of staff need: who is there, what is asked, and what an act is.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
export type Json = any

/** Someone who asks; the id is '' for an anonymous one. */
export type Viewer = { id: string; username: string; get: (path: string) => Promise<Answer> }

/** An account, and what staff decided about it. */
export type Account = {
  id: string
  username: string
  /** Absent for accounts of this server. */
  domain?: string
  role: RoleName
  isSensitized: boolean
  isDisabled: boolean
  isSilenced: boolean
  isSuspended: boolean
  /** The domain is the reason, not a decision about the account. */
  silencedByDomain: boolean
  suspendedByDomain: boolean
  /** Where they moved. */
  movedTo?: string | undefined
  /** The public status with which they are found. */
  statusId: string
}

export type Outcome = { status: number; body?: Json; text?: string }

/** A request, and its effect on the facts once it is acknowledged. */
export type Act = {
  what: string
  by?: Person
  send: () => Promise<Outcome>
  /** The status of the answer, unless another act on one of these keys came at the same time. */
  wanted: number
  keys: string[]
  /** What it is about, too, but must not race on: what would come of that cannot be read. */
  fixed?: string[]
  done?: (body: Json) => void
}

/** Draws an act; undefined if there is nothing that it could be about. */
export type Maker = () => Act | undefined

export type Stage = {
  world: World
  random: Random
  people: readonly Person[]
  staff: readonly Person[]
  owner: Person
  accounts: Map<string, Account>
  now: () => number
}

/** Compares what is with what should be. */
export type Asked = {
  viewer: Viewer
  compare: (what: string, is: unknown, wanted: unknown) => void
}

/** A part of what staff do: its acts, and what everyone is shown of them. */
export type Area = {
  makers: readonly (readonly [weight: number, make: Maker])[]
  /** Reads again what acts at once left of records, by their keys. */
  learn?: (raced: ReadonlySet<string>) => Promise<void>
  compare: (asked: Asked) => Promise<void>
  /** Acts that take all back. */
  undo?: () => Act[]
}

const STATUS: Readonly<Record<string, number>> = { not_found: 404, forbidden: 403, invalid: 422, malformed: 400, unauthenticated: 401 }

/** The outcome of a call that has no route. */
export const called = async (call: () => Promise<unknown>): Promise<Outcome> => {
  try {
    return { status: 200, body: await call() }
  } catch (error) {
    const status = STATUS[(error as { kind?: string }).kind ?? ''] ?? 500
    return { status, text: String(error instanceof Error ? error.stack : error) }
  }
}

/** What an act on an account by a member of staff is answered with. */
export const judging = ({ accounts }: Stage) => {
  const account = (id: string) => accounts.get(id)!
  /** Whether someone may use their token. */
  const isIn = ({ id }: { id: string }) => !account(id).isDisabled && !account(id).isSuspended
  /** Whether someone may post. */
  const maySpeak = (by: { id: string }) => isIn(by) && account(by.id).movedTo === undefined
  const may = (by: { id: string }, permission: number) => isIn(by) && holds(ROLES[account(by.id).role].permissions, permission)
  const outranks = (by: { id: string }, id: string) =>
    mayActOn({ accountId: by.id, role: account(by.id).role }, { accountId: id, role: account(id).role })
  return { account, isIn, maySpeak, may, outranks }
}

/** A request as an act. */
export const request = (by: Person, method: string, path: string, body?: unknown): Pick<Act, 'what' | 'by' | 'send'> => ({
  what: `${by.username} ${method} ${path} ${JSON.stringify(body ?? '')}`,
  by,
  send: () => by.asks(method, path, { body }),
})

export const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id).toSorted()

/** The fields of a record that a comparison names. */
export const compareFields = ({ compare }: Pick<Asked, 'compare'>, what: string, is: Json, wanted: object) => {
  for (const [field, value] of Object.entries(wanted)) compare(`${what} ${field}`, is?.[field], value)
}
