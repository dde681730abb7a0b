import { LoginState, type TokenHolder, TokenState } from '@rookery/contracts/auth'
import { holds } from '@rookery/contracts/permissions'
import { covers } from '@rookery/contracts/scopes'
import { Failure, notAllowed } from '@rookery/failures'

/** Settings of a server that close what is usually public (spec, Authentication 5 and Instance information). */
export type Restriction = 'limited federation' | 'authorized fetch' | 'no public preview' | 'domain blocks for users'

/** Who may call an endpoint. Scopes are alternatives: one of them, or an umbrella scope, suffices. */
export type Access = {
  readonly kind: 'public' | 'app' | 'app-or-user' | 'user' | 'staff' | 'any-token'
  readonly scopes: readonly string[]
  /** Also open to people who are not confirmed or approved yet. */
  readonly isForNewcomers?: boolean
  /** The permission that the person's role needs (contracts/permissions). */
  readonly permission?: number
  /** The access under a restriction of the server. */
  readonly under?: { readonly restriction: Restriction; readonly access: Access }
}

/** Open to anyone; a token, if sent, must be valid and have the scope. */
export const Public = (...scopes: string[]): Access => ({ kind: 'public', scopes })
/** Open to anyone, except under a restriction. */
export const PublicUnless = (restriction: Restriction, access: Access, ...scopes: string[]): Access => ({
  ...Public(...scopes),
  under: { restriction, access },
})
/** Requires an app's own token. */
export const App = (...scopes: string[]): Access => ({ kind: 'app', scopes })
/** Requires an app's own token, or a person's. */
export const AppOrUser = (...scopes: string[]): Access => ({ kind: 'app-or-user', scopes })
/** Requires a person's token. */
export const User = (...scopes: string[]): Access => ({ kind: 'user', scopes })
/** For what shows one status: public, unless the server shows single posts to its users only (spec, Authentication 5). */
export const SingleStatus = PublicUnless('authorized fetch', User('read:statuses'), 'read:statuses')
/** Requires a person's token; they may still be unconfirmed or pending approval. */
export const Newcomer = (...scopes: string[]): Access => ({ kind: 'user', scopes, isForNewcomers: true })
/** Requires a person's token, and a permission of their role. */
export const Staff = (permission: number, ...scopes: string[]): Access => ({ kind: 'staff', scopes, permission })
/** Requires a valid token, with any scopes. */
export const AnyToken = (): Access => ({ kind: 'any-token', scopes: [] })

const INVALID_TOKEN = 'The access token is invalid'
const NEEDS_PERSON = 'This API requires an authenticated user'

const LOGIN_FAULTS: Partial<Record<LoginState, string>> = {
  [LoginState.DISABLED]: 'Your login is currently disabled',
  [LoginState.UNCONFIRMED]: 'Your login is missing a confirmed e-mail address',
  [LoginState.PENDING]: 'Your login is currently pending approval',
}

/** @throws Failure unauthenticated for an unknown or revoked token */
const refuseBadToken = (holder: TokenHolder) => {
  if (holder.state === TokenState.REVOKED) throw new Failure('unauthenticated', 'The access token was revoked')
  if (holder.state !== TokenState.VALID) throw new Failure('unauthenticated', INVALID_TOKEN)
}

/** @throws Failure forbidden for a token without the scope (beyond-the-spec 1.4) */
const refuseMissingScope = (holder: TokenHolder, scopes: readonly string[]) => {
  if (scopes.length === 0 || scopes.some((scope) => covers(holder.scopes, scope))) return
  throw new Failure('forbidden', 'This action is outside the authorized scopes')
}

/** @throws Failure forbidden for a person whose login is disabled, unconfirmed or pending (spec, Authentication 9) */
const refuseInactive = (holder: TokenHolder, { isForNewcomers }: Access) => {
  if (isForNewcomers && holder.loginState !== LoginState.DISABLED) return
  const fault = LOGIN_FAULTS[holder.loginState]
  if (fault) throw new Failure('forbidden', fault)
}

/** The error text without a token where only a restriction requires one (spec, Errors 1 and Instance information). */
const restrictedText = (restriction: Restriction) => (restriction === 'domain blocks for users' ? INVALID_TOKEN : NEEDS_PERSON)

/** @throws Failure unauthenticated, forbidden for staff (spec, Admin: domain blocks) */
const refuseWithoutToken = ({ kind }: Access, text: string) => {
  if (kind === 'public') return
  throw kind === 'staff' ? notAllowed() : new Failure('unauthenticated', text)
}

/** @throws Failure unauthenticated for a person's token if an app's is required; invalid for an app's if a person's is (spec, Errors 1) */
const refuseWrongKind = ({ kind }: Access, { accountId }: TokenHolder) => {
  if (kind === 'app' && accountId) throw new Failure('unauthenticated', INVALID_TOKEN)
  if (kind === 'user' && !accountId) throw new Failure('invalid', NEEDS_PERSON)
}

/**
 * Checks whether a caller may call an endpoint. `holder` is the holder of the token, undefined without one; `restrictions` are those of the
 * server.
 * @throws Failure unauthenticated, also for a person's token if an app's is required; forbidden, for staff also without a token (spec,
 * Admin: domain blocks); invalid for an app's token if a person's is required (spec, Errors 1)
 */
export const admit = (declared: Access, holder: TokenHolder | undefined, restrictions: ReadonlySet<Restriction>): void => {
  const { under } = declared
  const restricted = under && restrictions.has(under.restriction) ? under : undefined
  const access = restricted?.access ?? declared
  if (!holder) {
    refuseWithoutToken(access, restricted ? restrictedText(restricted.restriction) : INVALID_TOKEN)
    return
  }
  if (access.kind === 'staff' && !holder.accountId) throw notAllowed()
  refuseBadToken(holder)
  if (access.kind === 'any-token') return
  refuseWrongKind(access, holder)
  if (holder.accountId) refuseInactive(holder, access)
  refuseMissingScope(holder, access.scopes)
  if (access.permission !== undefined && !holds(holder.permissions, access.permission)) throw notAllowed()
}
