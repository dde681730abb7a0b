import { hash } from 'node:crypto'
import { batching, type Remembered, untilChanged } from '@rookery/batching'
import type { Cache } from '@rookery/cache'
import { type TokenHolder, TokenState, TokensDefinition } from '@rookery/contracts/auth'
import type { Invalidations } from '@rookery/ephemeral'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'

/** The token of a request: the header's, regardless of its kind, or that of the parameter that scripts and players use. */
export const tokenOf = (authorization: string | undefined, parameter: unknown): string | undefined => {
  if (authorization?.trim()) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? authorization
  return typeof parameter === 'string' && parameter !== '' ? parameter : undefined
}

const TIMEOUT = 5000
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

type CheckToken = (token: string) => Promise<TokenHolder | undefined>

/** Asks auth whom the tokens of these digests belong to, those of a moment in one call. */
const askAuth = (tokens: Client<TokensDefinition>) =>
  batching<string, TokenHolder>(async (digests) => {
    const call = { deadline: Date.now() + TIMEOUT, signal: NEVER, trace: '' }
    const { holders } = await tokens.check(call, { digests: digests.map((digest) => Buffer.from(digest, 'base64')) })
    return new Map(digests.map((digest, index) => [digest, holders[index]!]))
  })

/** A batch serves many requests: none of them may end it. */
const NEVER = new AbortController().signal

const digestOf = (token: string) => hash('sha256', token, 'base64')

/** Asks whom tokens belong to: each request again. */
export const createTokenCheck = (tokens: Client<TokensDefinition>): CheckToken => {
  const ask = askAuth(tokens)
  return (token) => ask(digestOf(token))
}

type RememberingDeps = {
  tokens: Client<TokensDefinition>
  invalidations: Invalidations
  clock: Clock
  /** By the digest of the token. */
  memory: Cache<Remembered<TokenHolder>>
  /** The time in milliseconds by which a second is over, by a clock that never goes back. */
  now?: () => number
}

/**
 * Asks whom tokens belong to, and remembers it for a second at most, until auth says that something changed
 * (docs/decisions/0041-tokens-remembered-for-a-second.md). Tokens that auth does not know are asked about each time: guesses take no memory.
 */
export const createRememberingCheck = ({ tokens, invalidations, clock, memory, now }: RememberingDeps): CheckToken => {
  const ask = askAuth(tokens)
  const stamp = invalidations.watch(TokensDefinition.fullName)
  const load = async (digests: string[]) =>
    new Map(await Promise.all(digests.map(async (digest) => [digest, (await ask(digest))!] as const)))
  const check = untilChanged(load, {
    // A new day counts as a change: auth notes by day who was seen.
    stamp: () => added(stamp(), Math.floor(clock.now() / DAY_MILLISECONDS)),
    memory,
    isKept: ({ state }) => state !== TokenState.UNKNOWN,
    ...(now && { now }),
  })
  return async (token) => {
    const digest = digestOf(token)
    return (await check([digest])).get(digest)
  }
}

/** Both grow, so their sum is another number whenever one of them is. */
const added = (stamp: number | undefined, day: number) => (stamp === undefined ? undefined : stamp + day)
