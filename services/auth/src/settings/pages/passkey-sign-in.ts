import type { Clock } from '@rookery/runtime'
import type { Request, RequestHandler, Response } from 'express'
import { type Passkeys, usedAnswer } from '../../credentials/passkeys/index.ts'
import { isActive, type Login, type Logins, type Proved } from '../../logins/index.ts'
import type { PasskeyQuestion } from '../../web/html/index.ts'
import { allowPasskeys, type Parameters, type RouteLimits, type Tickets, textOf } from '../../web/http/index.ts'
import { sameQuery } from '../destination/index.ts'
import type { Barred } from '../sign-up/index.ts'
import type { VisitDeps } from './visitor.ts'

/** How long the challenge of a sign-in page is valid, in milliseconds. */
const CHALLENGE_LIVES = 60 * 60_000

type Deps = VisitDeps & {
  passkeys: Passkeys
  passkeyTickets: Tickets
  logins: Logins
  limits: RouteLimits
  clock: Clock
  baseUrl: string
  barred: Barred
}

type Welcome = (request: Request, response: Response, proved: Proved) => Promise<void>

type Refuse = (request: Request, response: Response, given: { problem: string; status: number }) => Promise<void>

/** The challenge of a sign-in page: for one account whose password was right, or for any; undefined if the form has no valid ticket. */
const askedBy = async (
  deps: Deps,
  form: Parameters,
  loginOf: (ticket: string) => Promise<Login | undefined>,
): Promise<{ challenge: string; accountId?: string } | undefined> => {
  const sealed = await deps.passkeyTickets.open(textOf(form, 'passkey_ticket') ?? '', deps.clock.now())
  const [purpose, accountId = '', challenge = ''] = sealed?.split(':') ?? []
  if (purpose !== 'get') return undefined
  if (accountId === '') return { challenge }
  return accountId === (await loginOf(textOf(form, 'ticket') ?? ''))?.accountId ? { challenge, accountId } : undefined
}

/** The login whose passkey answers the challenge; undefined if the answer is invalid. */
const ownerOf = async (
  deps: Deps,
  form: Parameters,
  asked: { challenge: string; accountId?: string } | undefined,
): Promise<Proved | undefined> => {
  const answer = usedAnswer(textOf(form, 'credential') ?? '')
  if (!asked || !answer) return undefined
  const challenge = { text: asked.challenge, expiresAt: new Date(deps.clock.now() + CHALLENGE_LIVES) }
  const { accountId } = asked
  return deps.passkeys.use({ answer, challenge }, accountId === undefined ? { isVerified: true } : { accountId, isVerified: false })
}

/**
 * Sign-in with a passkey: instead of the password, where the authenticator verifies the user by PIN or biometrics and so is two factors by
 * itself; or as the second step, where possession is enough.
 */
export const createPasskeySignIn = (deps: Deps) => ({
  /**
   * The challenge for a page: for one account whose password was right, or for any. Undefined if browsers support no passkeys here, or the
   * account has none.
   */
  async question(
    request: Request,
    response: Response,
    { formToken, accountId = '' }: { formToken: string; accountId?: string },
  ): Promise<PasskeyQuestion | undefined> {
    const known = accountId ? await deps.passkeys.list(accountId) : undefined
    if (!deps.passkeys.isPossible || known?.length === 0) return undefined
    const challenge = deps.passkeys.makeChallenge()
    allowPasskeys(response, new URL(deps.baseUrl).origin)
    return {
      action: sameQuery(request, '/auth/sign_in/passkey'),
      formToken,
      options: deps.passkeys.requestOptions({ challenge, ...(known && { known }) }),
      ticket: await deps.passkeyTickets.seal(`get:${accountId}:${challenge}`, deps.clock.now() + CHALLENGE_LIVES),
    }
  },
  /** POST /auth/sign_in/passkey; `loginOf` returns the login of a ticket of the second step. */
  submit:
    (given: { loginOf: (ticket: string) => Promise<Login | undefined>; welcome: Welcome; refuse: Refuse }): RequestHandler =>
    async (request, response) => {
      const { passkeys } = deps.frameOf(request).texts
      await deps.limits.refuseBeyond('credentials', request, response)
      const form = await deps.formTokens.read(request)
      const proved = await ownerOf(deps, form, await askedBy(deps, form, given.loginOf))
      if (!proved) {
        await deps.limits.countIn('credentials', request, response)
        return given.refuse(request, response, { problem: passkeys.failed, status: 401 })
      }
      const { accountId } = proved
      const login = await deps.logins.find(accountId)
      if (!login || !isActive(login)) return deps.barred.send({ request, response, accountId }, { mayAppeal: true })
      await deps.logins.recordSignIn(accountId)
      await given.welcome(request, response, proved)
    },
})

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>
