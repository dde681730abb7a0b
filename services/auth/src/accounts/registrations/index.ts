import type { Violation } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Clock, PasswordCost } from '@rookery/runtime'
import type { AddressBlocks } from '../../address-blocks/index.ts'
import type { Invites } from '../invites/index.ts'
import { checkRegistration } from './check-registration.ts'
import { completeSignUp } from './complete-sign-up.job.ts'
import { domainOf } from './email.rules.ts'
import type { OpenDeps } from './open-login.ts'
import type { MailResolver } from './reachable-email.ts'
import { type RegistrationSettings, register, registerByOperator } from './register.ts'
import { violationsOf } from './registration.rules.ts'
import { registrationInvalid, violation } from './violations.ts'

export type { MailResolver } from './reachable-email.ts'
export type { RegistrationSettings } from './register.ts'
export type { Registration } from './registration.rules.ts'

type Deps = OpenDeps & {
  clock: Clock
  ids: Ids
  config: RegistrationSettings
  addressBlocks: Pick<AddressBlocks, 'isEmailBlocked' | 'severityFor'>
  invites: Pick<Invites, 'find' | 'use'>
  resolver: MailResolver
  isPublic: boolean
  passwordCost?: PasswordCost
}

/** Registrations, for other slices. */
export const createRegistrations = (deps: Deps) => {
  const withCheck = { ...deps, check: checkRegistration(deps) }
  return {
    register: register(withCheck),
    registerByOperator: registerByOperator(withCheck),
    /** Checks an e-mail address alone. @throws Failure invalid if it could not be registered */
    async checkEmail(email: string): Promise<void> {
      const empty = { username: '', email, password: '', hasAgreed: true, locale: 'en', reason: '' }
      const policy = { needsReason: false, blockedEmailDomains: deps.config.blockedEmailDomains, isByOperator: false }
      const violations = violationsOf('email', empty, policy)
      if (violations.length > 0) throw registrationInvalid(violations)
      const isBlocked = await deps.addressBlocks.isEmailBlocked({ email, domains: [domainOf(email)], address: '' })
      if (isBlocked) throw registrationInvalid([violation('email', 'ERR_BLOCKED')])
    },
    /** The violations of a password alone. */
    violationsOfPassword(password: string): Violation[] {
      const empty = { username: '', email: '', password, hasAgreed: true, locale: 'en', reason: '' }
      return violationsOf('password', empty, { needsReason: false, blockedEmailDomains: [], isByOperator: false })
    },
    jobs: [completeSignUp(deps)],
  }
}

export type Registrations = ReturnType<typeof createRegistrations>
