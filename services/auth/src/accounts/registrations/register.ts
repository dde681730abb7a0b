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

/** Who may sign up and when they may begin. */
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

/** Where a registration came from; with the code of an invitation, if there is one. */
export type Origin = { address: string; appId: string | null; inviteCode?: string | undefined }

const trimmed = (registration: Registration): Registration => ({
  ...registration,
  username: registration.username.trim(),
  email: registration.email.trim(),
  reason: registration.reason.trim(),
})

type SignUpState = { role: RoleName; isConfirmed: boolean; isApproved: boolean; inviteId: string | null }

/** The attempt to go on with: the same person's earlier one that stopped halfway, or a new one. */
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

/** What follows a registration in the same transaction, e.g. a token. */
type Also<Result> = (tx: Tx<AuthTables>, accountId: string) => Promise<Result>

/**
 * Lets a registration in, or not: by an invitation also where sign-ups are closed, and without an approval, unless their network needs one.
 * @throws Failure forbidden, exhausted after too many codes that are no good
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
 * Signs someone up (spec, Accounts; Errors 3). A repeat, which comes when the answer never left, goes on from the account that is there.
 * @throws Failure forbidden when registrations are closed, or blocked for the network, or the invitation is no good, invalid with every violation, and
 * the error that kept statuses from answering: then the sign-up is finished later or undone.
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

/** What an operator decides about an account. */
type OperatorsOrder = { username: string; email: string; password: string; role: RoleName; isConfirmed: boolean }

/** Opens an account for someone: reserved names are allowed, nothing awaits approval. @throws Failure invalid with every violation */
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
