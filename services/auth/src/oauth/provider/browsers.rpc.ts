import { BrowsersDefinition, type CheckedBrowser, LoginState, PasswordOutcome, type TokenHolder, TokenState } from '@rookery/contracts/auth'
import { type Inviters, permissionsOf } from '@rookery/contracts/permissions'
import { ALL_SCOPES } from '@rookery/contracts/scopes'
import { type Handler, handler } from '@rookery/rpc'
import type { Login, Logins } from '../../logins/index.ts'
import type { Seals } from '../../web/http/index.ts'
import type { BrowserSessions } from './browser-sessions.ts'
import type { Sessions } from './sessions.ts'

type Proof = { outcome: 'right' | 'wrong' | 'wrongCode' } | { outcome: 'exhausted'; retryAfterSeconds: number }

type Deps = {
  browserSessions: BrowserSessions
  sessions: Sessions
  logins: Logins
  seals: Seals
  config: { inviters: Inviters }
  secondFactors: {
    isOn: (accountId: string) => Promise<boolean>
    isMissing: (login: Pick<Login, 'accountId' | 'role'>) => Promise<boolean>
    prove: (accountId: string, given: { password: string; code: string }) => Promise<Proof>
  }
}

const SIGNED_OUT: CheckedBrowser = {
  holder: undefined,
  uid: '',
  formToken: '',
  isProven: false,
  hasSecondFactor: false,
  needsSecondFactor: false,
}

/** On the server's own pages a person has all scopes, limited by their role. */
const holderOf = ({ accountId, role }: Login, inviters: Inviters): TokenHolder => ({
  state: TokenState.VALID,
  accountId,
  appId: '',
  appName: '',
  appWebsite: '',
  appNumber: 0,
  scopes: [...ALL_SCOPES],
  loginState: LoginState.ACTIVE,
  permissions: permissionsOf(role, inviters),
  tokenId: '',
  role,
})

const OUTCOMES = {
  right: PasswordOutcome.RIGHT,
  wrong: PasswordOutcome.WRONG,
  wrongCode: PasswordOutcome.WRONG,
  exhausted: PasswordOutcome.EXHAUSTED,
} as const

/** The service Browsers of the contract. */
export const createBrowsersRpc = ({ browserSessions, sessions, logins, seals, secondFactors, config }: Deps): Handler =>
  handler(BrowsersDefinition, {
    async check(_call, { cookies }) {
      const signedIn = await browserSessions.findByCookies(cookies)
      if (!signedIn) return SIGNED_OUT
      const { accountId, uid } = signedIn
      const [login, isProven, formToken] = await Promise.all([logins.find(accountId), sessions.isProven(uid), seals.seal(`browser ${uid}`)])
      if (!login) return SIGNED_OUT
      logins.noteSeen([accountId])
      const [hasSecondFactor, needsSecondFactor] = await Promise.all([secondFactors.isOn(accountId), secondFactors.isMissing(login)])
      return { holder: holderOf(login, config.inviters), uid, formToken, isProven, hasSecondFactor, needsSecondFactor }
    },
    async provePassword(_call, { cookies, password, code }) {
      const signedIn = await browserSessions.findByCookies(cookies)
      if (!signedIn) return { outcome: PasswordOutcome.SIGNED_OUT, retryAfterSeconds: 0 }
      const proof = await secondFactors.prove(signedIn.accountId, { password, code })
      if (proof.outcome === 'right') await sessions.prove(signedIn.uid)
      return { outcome: OUTCOMES[proof.outcome], retryAfterSeconds: proof.outcome === 'exhausted' ? proof.retryAfterSeconds : 0 }
    },
  })
