import { hash } from 'node:crypto'
import { batching } from '@rookery/batching'
import type { TokenHolder, TokensDefinition } from '@rookery/contracts/auth'
import type { Client } from '@rookery/rpc'

/** The token of a request: the header's, regardless of its kind, or that of the parameter that scripts and players use. */
export const tokenOf = (authorization: string | undefined, parameter: unknown): string | undefined => {
  if (authorization?.trim()) return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? authorization
  return typeof parameter === 'string' && parameter !== '' ? parameter : undefined
}

const TIMEOUT = 5000

/** Asks whom tokens belong to: each request again, all requests of a moment in one call, so that a revocation works at once. */
export const createTokenCheck = (tokens: Client<typeof TokensDefinition>): ((token: string) => Promise<TokenHolder | undefined>) => {
  const check = batching<string, TokenHolder>(async (digests) => {
    const call = { deadline: Date.now() + TIMEOUT, signal: NEVER, trace: '' }
    const { holders } = await tokens.check(call, { digests: digests.map((digest) => Buffer.from(digest, 'base64')) })
    return new Map(digests.map((digest, index) => [digest, holders[index]!]))
  })
  return (token) => check(hash('sha256', token, 'base64'))
}

/** A batch serves many requests: none of them may end it. */
const NEVER = new AbortController().signal
