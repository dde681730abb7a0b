/** The state of a login: active, or why it may not use the API (spec, Authentication 9). */
export type LoginState = 'active' | 'unconfirmed' | 'pending' | 'disabled'

/** The times that decide a login's state. */
export type LoginMoments = {
  confirmedAt: Date | null
  approvedAt: Date | null
  disabledAt: Date | null
  suspendedAt?: Date | null
  memorialAt?: Date | null
  closingAt?: Date | null
}

/**
 * The state of a login. Disabled (for any reason, also a pending deletion) takes precedence over unconfirmed, and unconfirmed over pending.
 */
export const stateOf = ({ confirmedAt, approvedAt, ...reasons }: LoginMoments): LoginState => {
  if (reasons.disabledAt || reasons.suspendedAt || reasons.memorialAt || reasons.closingAt) return 'disabled'
  if (!confirmedAt) return 'unconfirmed'
  return approvedAt ? 'active' : 'pending'
}

/** Why a confirmed and approved login may not sign in; irreversible reasons take precedence. */
export const barOf = ({ closingAt, suspendedAt, memorialAt }: LoginMoments): 'closing' | 'suspended' | 'memorial' | 'disabled' => {
  if (closingAt) return 'closing'
  if (suspendedAt) return 'suspended'
  return memorialAt ? 'memorial' : 'disabled'
}

type SignUp = { signUpAddress: string; confirmedAt: Date | null }

/**
 * Whether a change completes a sign-up: it confirms the address of a person who signed up by themselves. `before` is absent for a new
 * login.
 */
export const completesSignUp = (before: SignUp | undefined, after: SignUp): boolean =>
  after.signUpAddress !== '' && after.confirmedAt !== null && !before?.confirmedAt

/** A login at the time when its person proved to be that person. */
export type Proved = { readonly accountId: string; readonly passwordHash: string }

/** Whether what was proved still counts: a new password ends what the old one, or a passkey beside it, proved. */
export const isStillProved = (login: Proved & LoginMoments, proved: Proved): boolean =>
  isActive(login) && login.passwordHash === proved.passwordHash

/** Whether the account may use the API and can be mentioned. */
export const isActive = (login: LoginMoments): boolean => stateOf(login) === 'active'

/** Whether the sign-up is complete: the account is visible to others, whether or not it may use the API. */
export const hasJoined = ({ confirmedAt, approvedAt }: LoginMoments): boolean => confirmedAt !== null && approvedAt !== null

type Owner = LoginMoments & { role: string }

const isOwner = ({ role, disabledAt, suspendedAt, memorialAt, closingAt }: Owner): boolean =>
  role === 'owner' && !disabledAt && !suspendedAt && !memorialAt && !closingAt

/** Whether a change leaves the server with one owner fewer, by another role, a lock or a deletion. */
export const endsOwnership = (before: Owner, after: Owner): boolean => isOwner(before) && !isOwner(after)

/** The start of the week of a time, Monday 00:00 UTC. */
export const startOfWeek = (milliseconds: number): Date => {
  const moment = new Date(milliseconds)
  const daysSinceMonday = (moment.getUTCDay() + 6) % 7
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() - daysSinceMonday))
}
