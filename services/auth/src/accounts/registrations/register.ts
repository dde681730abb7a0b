import type { RoleName } from '@rookery/contracts/permissions'
import { completedStep, completeStep, type Tx, transact } from '@rookery/database'
import { notAllowed } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock, PasswordCost } from '@rookery/runtime'
import type { AddressBlocks } from '../../address-blocks/index.ts'
import type { AuthTables } from '../../database/schema.ts'
import { hashPassword, isPassword } from '../../logins/index.ts'
import { type Invites, inviteFault } from '../invites/index.ts'
import { type Attempt, AttemptReader } from './attempt.store.ts'
import type { checkRegistration } from './check-registration.ts'
import { localeOf } from './locales.ts'
import { type OpenDeps, openLogin, recordAttempt } from './open-login.ts'
import type { Registration } from './registration.rules.ts'
import { registrationInvalid } from './violations.ts'

/** Settings of sign-ups: who may sign up, and whether addresses must be confirmed. */
export type RegistrationSettings = {
  registrations: 'open' | 'approval' | 'closed'
  confirmation: 'mail' | 'automatic'
  blockedEmailDomains: readonly string[]
}

type Deps = OpenDeps & {
  clock: Clock
  ids: Ids
  config: RegistrationSettings
  check: ReturnType<typeof checkRegistration>
  addressBlocks: Pick<AddressBlocks, 'severityFor'>
  invites: Pick<Invites, 'find' | 'use'>
  passwordCost?: PasswordCost
}

/** The origin of a registration: network address, app, and the code of an invitation, if any. */
export type Origin = { address: string; appId: string | null; inviteCode?: string | undefined }

const trimmed = (registration: Registration): Registration => ({
  ...registration,
  username: registration.username.trim(),
  email: registration.email.trim(),
  reason: registration.reason.trim(),
})

type SignUpState = { role: RoleName; isConfirmed: boolean; isApproved: boolean; inviteId: string | null }

/** Resumes the same person's interrupted attempt, or records a new one. */
const beginAttempt = async (deps: Deps, registration: Registration, { address, appId }: Origin, state: SignUpState): Promise<Attempt> => {
  const earlier = await new AttemptReader(deps.database.db).findLike(registration.email, registration.username)
  const isSame =
    earlier?.role === state.role && earlier.inviteId === state.inviteId && (await isPassword(registration.password, earlier.passwordHash))
  if (isSame) return earlier
  const attempt: Attempt = {
    address,
    appId,
    ...state,
    accountId: deps.ids.next(),
    username: registration.username,
    email: registration.email,
    passwordHash: await hashPassword(registration.password, deps.passwordCost),
    locale: localeOf(registration.locale) ?? 'en',
    reason: registration.reason,
    createdAt: new Date(deps.clock.now()),
  }
  await recordAttempt(deps, attempt)
  return attempt
}

/** Further writes in the transaction of a registration, e.g. a token. */
type Also<Result> = (tx: Tx<AuthTables>, accountId: string) => Promise<Result>

/**
 * Decides whether a sign-up is allowed. An invitation allows it where sign-ups are closed, and replaces the approval unless the network
 * requires one.
 * @throws Failure forbidden; exhausted after too many invalid codes
 */
const admit = async (deps: Deps, { address, inviteCode: code }: Origin) => {
  const { registrations } = deps.config
  const invite = code ? await deps.invites.find({ code, address }) : undefined
  if (code && !invite) throw inviteFault('forbidden')
  if (registrations === 'closed' && !invite) throw notAllowed('registrations are closed')
  const severity = await deps.addressBlocks.severityFor(address)
  if (severity === 'sign_up_block' || severity === 'no_access') throw notAllowed(`sign-ups from this network are blocked: ${severity}`)
  const needsReason = registrations === 'approval' && !invite
  return { inviteId: invite?.id ?? null, needsReason, isApproved: !needsReason && severity !== 'sign_up_requires_approval' }
}

/**
 * Signs up a person (spec, Accounts; Errors 3). A repeated request, e.g. after a lost response, continues with the existing account.
 * @throws Failure forbidden if registrations are closed, the network is blocked or the invitation is invalid; invalid with all violations;
 * errors of statuses: the sign-up is then completed or undone by a job
 */
export const register =
  (deps: Deps) =>
  async <Result>(call: Call, sent: Registration, origin: Origin, also: Also<Result>): Promise<Result> => {
    const once = { call, step: 'register' }
    const { db } = deps.database
    const earlier = await completedStep<{ accountId: string }>(db, once)
    if (earlier) return transact(db, (tx) => also(tx, earlier.accountId))
    const { confirmation, blockedEmailDomains } = deps.config
    const { needsReason, ...admitted } = await admit(deps, origin)
    const registration = trimmed(sent)
    const violations = await deps.check(call, registration, {
      needsReason,
      blockedEmailDomains,
      isByOperator: false,
      address: origin.address,
    })
    if (violations.length > 0) throw registrationInvalid(violations)
    const state: SignUpState = { role: 'user', isConfirmed: confirmation === 'automatic', ...admitted }
    const attempt = await beginAttempt(deps, registration, origin, state)
    const { accountId } = attempt
    return openLogin(deps, call, attempt, async (tx) => {
      await completeStep(tx, once, { accountId })
      return also(tx, accountId)
    })
  }

/** An account created by an operator. */
type OperatorsOrder = { username: string; email: string; password: string; role: RoleName; isConfirmed: boolean }

/**
 * Creates an account for an operator: reserved usernames are allowed, and it needs no approval. @throws Failure invalid with all violations
 */
export const registerByOperator =
  (deps: Deps) =>
  async <Result>(call: Call, order: OperatorsOrder, also: Also<Result>): Promise<Result> => {
    const registration = trimmed({ ...order, hasAgreed: true, locale: 'en', reason: '' })
    const violations = await deps.check(call, registration, {
      needsReason: false,
      blockedEmailDomains: [],
      isByOperator: true,
      address: '',
    })
    if (violations.length > 0) throw registrationInvalid(violations)
    const isConfirmed = order.isConfirmed || deps.config.confirmation === 'automatic'
    const state: SignUpState = { role: order.role, isConfirmed, isApproved: true, inviteId: null }
    const attempt = await beginAttempt(deps, registration, { address: '', appId: null }, state)
    return openLogin(deps, call, attempt, (tx) => also(tx, attempt.accountId))
  }
