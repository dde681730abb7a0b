import { hash } from 'node:crypto'
import { batching, type Remembered, untilChanged } from '@rookery/batching'
import type { Cache } from '@rookery/cache'
import { type TokenHolder, TokenState, TokensDefinition } from '@rookery/contracts/auth'
import type { Invalidations } from '@rookery/ephemeral'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'

/** The token of a request: that of the header, whatever its scheme, or the query parameter for scripts and players. */
export const tokenOf = (authorization: string | undefined, parameter: unknown): string | undefined => {
  if (authorization?.trim()) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? authorization
  return typeof parameter === 'string' && parameter !== '' ? parameter : undefined
}

const TIMEOUT = 5000
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

type CheckToken = (token: string) => Promise<TokenHolder | undefined>

/** Looks up the holders of tokens by their digests; concurrent look-ups share a call. */
const askAuth = (tokens: Client<TokensDefinition>) =>
  batching<string, TokenHolder>(async (digests) => {
    const call = { deadline: Date.now() + TIMEOUT, signal: NEVER, trace: '' }
    const { holders } = await tokens.check(call, { digests: digests.map((digest) => Buffer.from(digest, 'base64')) })
    return new Map(digests.map((digest, index) => [digest, holders[index]!]))
  })

/** A batch serves many requests: none of them may cancel it. */
const NEVER = new AbortController().signal

const digestOf = (token: string) => hash('sha256', token, 'base64')

/** Looks up the holders of tokens, for each request. */
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
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}

/**
 * Looks up the holders of tokens, and caches them for a second, or until auth reports a change
 * (docs/decisions/0041-tokens-remembered-for-a-second.md). Unknown tokens are not cached, so guesses take no memory.
 */
export const createRememberingCheck = ({ tokens, invalidations, clock, memory, now }: RememberingDeps): CheckToken => {
  const ask = askAuth(tokens)
  const stamp = invalidations.watch(TokensDefinition.fullName)
  const load = async (digests: string[]) =>
    new Map(await Promise.all(digests.map(async (digest) => [digest, (await ask(digest))!] as const)))
  const check = untilChanged(load, {
    // A new day counts as a change: auth records by day who was active.
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

/** Both only grow, so the sum changes whenever one of them does. */
const added = (stamp: number | undefined, day: number) => (stamp === undefined ? undefined : stamp + day)
