import { RegistrationsDefinition } from '@rookery/contracts/auth'
import { orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import { type Handler, handler } from '@rookery/rpc'
import type { Confirmations } from '../../credentials/confirmations/index.ts'
import type { Logins } from '../../logins/index.ts'
import type { Apps } from '../../oauth/apps/index.ts'
import type { Tokens } from '../../oauth/tokens/index.ts'
import type { Registrations } from './index.ts'
import { scopesOfNewcomer } from './registration.rules.ts'
import { registrationInvalid, violation } from './violations.ts'

type Deps = { registrations: Registrations; apps: Apps; tokens: Tokens; logins: Logins; confirmations: Confirmations }

/** The service Registrations of the contract. */
export const createRegistrationsRpc = (deps: Deps): Handler =>
  handler(RegistrationsDefinition, {
    register: async (call, request) => {
      const app = orNotFound(isId(request.appId) ? await deps.apps.find(request.appId) : undefined, `no app ${request.appId}`)
      const registration = { ...request, hasAgreed: request.agreement ?? false }
      const origin = { address: request.address, appId: app.id, inviteCode: request.inviteCode }
      const scopes = scopesOfNewcomer(app.scopes)
      const { value, createdAt } = await deps.registrations.register(call, registration, origin, (tx, accountId) =>
        deps.tokens.issue(tx, { appId: app.id, accountId, scopes }),
      )
      return { accessToken: value, scope: scopes.join(' '), createdAtSeconds: Math.floor(createdAt.getTime() / 1000) }
    },
    readActivity: (_call, { sinceSeconds }) => deps.logins.activitySince(new Date(sinceSeconds * 1000)),
    resendConfirmation: async (_call, request) => {
      const email = request.email.trim()
      if (email) await deps.registrations.checkEmail(email)
      const taken = () => registrationInvalid([violation('email', 'ERR_TAKEN')])
      await deps.confirmations.resendForApp({ accountId: request.accountId, appId: request.appId, email: email || undefined }, taken)
      return {}
    },
  })
