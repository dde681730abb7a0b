/** Whether someone may use the API, and if not, why (spec, Authentication 9). */
export type LoginState = 'active' | 'unconfirmed' | 'pending' | 'disabled'

/** The moments that decide a login's state. */
export type LoginMoments = {
  confirmedAt: Date | null
  approvedAt: Date | null
  disabledAt: Date | null
  suspendedAt?: Date | null
  memorialAt?: Date | null
  closingAt?: Date | null
}

/** A login's state: being disabled for any reason, or about to be deleted, outweighs a missing confirmation, which outweighs a missing approval. */
export const stateOf = ({ confirmedAt, approvedAt, ...reasons }: LoginMoments): LoginState => {
  if (reasons.disabledAt || reasons.suspendedAt || reasons.memorialAt || reasons.closingAt) return 'disabled'
  if (!confirmedAt) return 'unconfirmed'
  return approvedAt ? 'active' : 'pending'
}

/** Why someone may not sign in though their address is confirmed and they are approved; what cannot be taken back comes first. */
export const barOf = ({ closingAt, suspendedAt, memorialAt }: LoginMoments): 'closing' | 'suspended' | 'memorial' | 'disabled' => {
  if (closingAt) return 'closing'
  if (suspendedAt) return 'suspended'
  return memorialAt ? 'memorial' : 'disabled'
}

type SignUp = { signUpAddress: string; confirmedAt: Date | null }

/** Whether a change completes a sign-up: the address of a person who came by themselves is confirmed now. `before` is absent for a new login. */
export const completesSignUp = (before: SignUp | undefined, after: SignUp): boolean =>
  after.signUpAddress !== '' && after.confirmedAt !== null && !before?.confirmedAt

/** Whether the person may use the API and can be mentioned. */
export const isActive = (login: LoginMoments): boolean => stateOf(login) === 'active'

/** Whether the sign-up is complete: others see the person, whether or not they may use the API. */
export const hasJoined = ({ confirmedAt, approvedAt }: LoginMoments): boolean => confirmedAt !== null && approvedAt !== null

type Owner = LoginMoments & { role: string }

const isOwner = ({ role, disabledAt, suspendedAt, memorialAt, closingAt }: Owner): boolean =>
  role === 'owner' && !disabledAt && !suspendedAt && !memorialAt && !closingAt

/** Whether a change takes the server from one of its owners, by another role, a lock or a deletion. */
export const endsOwnership = (before: Owner, after: Owner): boolean => isOwner(before) && !isOwner(after)

/** The first instant of a moment's week, Monday 00:00 UTC. */
export const startOfWeek = (milliseconds: number): Date => {
  const moment = new Date(milliseconds)
  const daysSinceMonday = (moment.getUTCDay() + 6) % 7
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() - daysSinceMonday))
}
