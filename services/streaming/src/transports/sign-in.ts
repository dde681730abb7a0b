import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { LoginState, type TokenHolder, TokenState, type TokensDefinition } from '@rookery/contracts/auth'
import { Failure } from '@rookery/failures'
import type { Client } from '@rookery/rpc'
import type { Calls } from '../calls.ts'
import type { OpenChannels, Person } from '../channels/open.ts'
import { addressOf } from './address.ts'

/** Where a token may stand, in order (beyond-the-spec 1.7); browsers can only set the subprotocol. */
const tokenOf = (request: IncomingMessage): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ??
  (addressOf(request).query.get('access_token') || undefined) ??
  (request.headers['sec-websocket-protocol']?.split(',')[0]?.trim() || undefined)

/** What a person is told whose token is good and whose login is not (spec, Errors 1). */
const LOGIN_TEXTS: Partial<Record<LoginState, string>> = {
  [LoginState.UNCONFIRMED]: 'Your login is missing a confirmed e-mail address',
  [LoginState.PENDING]: 'Your login is currently pending approval',
  [LoginState.DISABLED]: 'Your login is currently disabled',
}

const isPersons = (holder: TokenHolder | undefined): holder is TokenHolder => holder?.state === TokenState.VALID && holder.accountId !== ''

/** Whether a connection opened with the token may stay open. */
export const isStillValid = (holder: TokenHolder | undefined): boolean => isPersons(holder) && holder.loginState === LoginState.ACTIVE

/**
 * Finds out who asks for a stream. Every stream needs a person's token (beyond-the-spec 0.4).
 * @throws Failure unauthenticated without a token or with one that is unknown, revoked or an app's; forbidden when the login may not be
 * used; exhausted when the person holds too many connections; unavailable when auth is away or streaming closes
 */
export const createSignIn =
  ({ tokens, open, calls }: { tokens: Client<TokensDefinition>; open: OpenChannels; calls: Calls }) =>
  async (request: IncomingMessage): Promise<Person> => {
    const token = tokenOf(request)
    if (!token) throw new Failure('unauthenticated', 'Missing access token')
    const digest = createHash('sha256').update(token).digest()
    const { holders } = await tokens.check(calls.begin(), { digests: [digest] })
    const holder = holders[0]
    if (!isPersons(holder)) throw new Failure('unauthenticated', 'Invalid access token')
    const objection = LOGIN_TEXTS[holder.loginState]
    if (objection) throw new Failure('forbidden', objection)
    open.refuseFurther(holder.accountId)
    return { accountId: holder.accountId, tokenId: holder.tokenId, digest, scopes: holder.scopes }
  }
