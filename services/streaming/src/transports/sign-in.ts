import { createHash } from 'node:crypto'
import { LoginState, type TokenHolder, TokenState, type TokensDefinition } from '@rookery/contracts/auth'
import { Failure } from '@rookery/failures'
import { addressOf as callerAddressOf, stateOf } from '@rookery/http'
import type { RouteLimits } from '@rookery/http/limits'
import type { Client } from '@rookery/rpc'
import type { Request, Response } from 'express'
import type { Calls } from '../calls.ts'
import type { OpenChannels } from '../channels/open.ts'
import type { Person } from '../channels/subscriber.ts'
import { addressOf } from './address.ts'

/** Where the token may be, in order of precedence (beyond-the-spec 1.7); browsers can only set the subprotocol. */
const tokenOf = (request: Request): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ??
  (addressOf(request).query.get('access_token') || undefined) ??
  (request.headers['sec-websocket-protocol']?.split(',')[0]?.trim() || undefined)

/** The error for a valid token of an inactive login (spec, Errors 1). */
const LOGIN_TEXTS: Partial<Record<LoginState, string>> = {
  [LoginState.UNCONFIRMED]: 'Your login is missing a confirmed e-mail address',
  [LoginState.PENDING]: 'Your login is currently pending approval',
  [LoginState.DISABLED]: 'Your login is currently disabled',
}

const isPersons = (holder: TokenHolder | undefined): holder is TokenHolder => holder?.state === TokenState.VALID && holder.accountId !== ''

/** Whether a connection with this token may stay open. */
export const isStillValid = (holder: TokenHolder | undefined): boolean => isPersons(holder) && holder.loginState === LoginState.ACTIVE

/** Authenticates a request for a stream, and counts it. */
export type SignIn = (request: Request, response: Response) => Promise<Person>

/** @throws Failure as `createSignIn`, for the holder of a token */
const admitted = (holder: TokenHolder | undefined): TokenHolder => {
  if (holder?.state !== TokenState.VALID) throw new Failure('unauthenticated', 'Invalid access token')
  if (!holder.accountId) throw new Failure('invalid', 'This API requires an authenticated user')
  const objection = LOGIN_TEXTS[holder.loginState]
  if (objection) throw new Failure('forbidden', objection)
  return holder
}

/**
 * Authenticates requests for streams. Every stream needs a person's token (beyond-the-spec 0.4). Each attempt counts in the rate limits of
 * its address and account, before it is checked.
 * @throws Failure unauthenticated for a missing, unknown or revoked token; invalid for an app's (spec, Errors 1); forbidden for an inactive
 * login; exhausted beyond a rate limit or the maximum of connections; unavailable when auth is, or after streaming closed
 */
export const createSignIn = (deps: { tokens: Client<TokensDefinition>; open: OpenChannels; calls: Calls; limits: RouteLimits }): SignIn => {
  const { tokens, open, calls, limits } = deps
  return async (request, response) => {
    const token = tokenOf(request)
    const digest = createHash('sha256')
      .update(token ?? '')
      .digest()
    const holder = token ? (await tokens.check(calls.begin(), { digests: [digest] })).holders[0] : undefined
    stateOf(response).accountId = holder?.accountId ?? ''
    const isBad = holder !== undefined && holder.state !== TokenState.VALID
    await limits.countIn(['address', 'account', ...(isBad ? ['tokens' as const] : [])], request, response)
    if (!token) throw new Failure('unauthenticated', 'Missing access token')
    const { accountId, tokenId, scopes } = admitted(holder)
    open.refuseFurther(accountId)
    return { accountId, tokenId, digest, scopes, address: callerAddressOf(request) }
  }
}
