import { createHash } from 'node:crypto'
import type { PageAnswer } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'
import type { App, Approval, Code, Request, Token } from './facts.ts'
import { isActive } from './facts.ts'
import { SESSION_LIVES } from './signing.ts'
import { HOUR, type Maker, MINUTE, newWord, type Stage, said } from './stage.ts'

// Apps: what they register, how people let them in, and what they make of codes and tokens (spec, OAuth; beyond-the-spec 1.3).

const URIS = ['tea://done', 'https://tea.example/back?to=home']
const SCOPES = ['read', 'write', 'follow', 'push', 'profile', 'read:accounts', 'read:lists', 'write:accounts', 'read:bookmarks']
const CODE_LIVES = 10 * MINUTE

const FOLLOW = /^(?:read|write):(?:blocks|follows|mutes)$/
/** Whether scopes include one, by themselves or by an umbrella. */
export const cover = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes(scope) || scopes.includes(scope.split(':')[0]!) || (scopes.includes('follow') && FOLLOW.test(scope))

const someOf = (random: Random, all: readonly string[]): string[] => {
  const some = all.filter(() => random.chance(0.4))
  return some.length > 0 ? some : [random.of(all)]
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

type Registered = { client_id: string; client_secret: string }

/** Notes an app that was registered. */
export const keepApp = async (
  { world, facts, secrets }: Stage,
  { client_id: clientId, client_secret: secret }: Registered,
  given: Pick<App, 'name' | 'scopes' | 'redirectUris'>,
): Promise<App> => {
  const [{ id }] = await world.query('select id from auth.app where client_id = $1', [clientId])
  const app = { ...given, id, clientId, secret }
  secrets.add(secret)
  facts.apps.push(app)
  return app
}

const registering = (stage: Stage): Maker => {
  const { world, random, facts, compare } = stage
  return () => {
    if (facts.apps.length > 2) return undefined
    const [name, scopes, redirectUris] = [newWord('app'), someOf(random, SCOPES), someOf(random, URIS)]
    const run = async () => {
      const body = { client_name: name, redirect_uris: redirectUris.join('\n'), scopes: scopes.join(' ') }
      const { status, body: app } = await world.asks('POST', '/api/v1/apps', { body })
      compare('the status', status, 200)
      await keepApp(stage, app, { name, scopes, redirectUris })
    }
    return { what: `${name} is registered for ${scopes} at ${redirectUris}`, run }
  }
}

const tokenOf = ({ world }: Stage, { clientId, secret }: { clientId: string; secret: string }, grant: Record<string, string>) =>
  world.asks('POST', '/oauth/token', { body: { client_id: clientId, client_secret: secret, ...grant } })

const ownToken = (stage: Stage): Maker => {
  const { random, facts, secrets, compare } = stage
  return () => {
    const [app, scopes] = [random.of(facts.apps), someOf(random, SCOPES)]
    const isWithin = scopes.every((scope) => cover(app.scopes, scope))
    const run = async () => {
      const { status, body } = await tokenOf(stage, app, { grant_type: 'client_credentials', scope: scopes.join(' ') })
      compare('the answer', [status, body.error ?? body.scope], isWithin ? [200, scopes.join(' ')] : [400, 'invalid_scope'])
      if (!isWithin) return
      secrets.add(body.access_token)
      facts.tokens.push({ value: body.access_token, app, scopes, isShared: false, isRevoked: false })
    }
    return { what: `${app.name} asks for its own token with ${scopes}`, run }
  }
}

export const pathOf = ({ app, redirectUri, scopes, verifier }: Request): string => {
  const pkce = verifier ? { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } : {}
  const query = { response_type: 'code', client_id: app.clientId, redirect_uri: redirectUri, scope: scopes.join(' '), state: 'x', ...pkce }
  return `/oauth/authorize?${new URLSearchParams(query)}`
}

/** Lets an app in, or not, on a page that asked before; the session must still be that of the browser. */
const answer = async ({ facts, secrets, compare }: Stage, approval: Approval, isAllowed: boolean) => {
  const { page, session, app, redirectUri, until } = approval
  const isGood = until > facts.now() && facts.isIn(session)
  const back: PageAnswer = await session.browser.submit(page, { answer: isAllowed ? 'allow' : 'deny' })
  const to = back.location?.startsWith(redirectUri) ? new URL(back.location).searchParams : undefined
  compare(
    'what the app gets',
    to && (to.get('error') ?? (to.get('code') && 'code')),
    isGood ? (isAllowed ? 'code' : 'access_denied') : undefined,
  )
  const value = to?.get('code')
  if (!isGood || !isAllowed || !value) return
  secrets.add(value)
  const { scopes, verifier } = approval
  facts.codes.push({ value, app, redirectUri, scopes, verifier, login: session.login, until: facts.now() + CODE_LIVES, isOver: false })
}

const authorizing = (stage: Stage): Maker => {
  const { random, facts, compare } = stage
  return () => {
    const session = facts.session(random)
    if (!session) return undefined
    const app = random.of(facts.apps)
    const scopes = random.chance(0.9) ? someOf(random, app.scopes) : someOf(random, SCOPES)
    const redirectUri = random.chance(0.9) ? random.of(app.redirectUris) : random.of(URIS)
    const verifier = random.chance(0.5) ? newWord('a-verifier-that-is-long-enough-to-be-one-of-') : undefined
    const answers = random.of(['allow', 'allow', 'allow', 'deny', 'wait'])
    const request = { app, scopes, redirectUri, verifier }
    const wanted = () => {
      if (!app.redirectUris.includes(redirectUri)) return [400, 'The app wants to return to the wrong place']
      if (!scopes.every((scope) => cover(app.scopes, scope))) return [400, 'The app asks for too much']
      return facts.isIn(session) ? [200, 'It will be able to:'] : [200, 'name="password"']
    }
    const run = async () => {
      const page = await session.browser.visit(pathOf(request))
      const texts = ['wrong place', 'asks for too much', 'It will be able to:', 'name="password"']
      const [status, text] = wanted()
      compare('the page', said(page, ...texts), [status, texts.find((each) => String(text).includes(each))])
      // A sign-in that is only suspended is used, too.
      if (status === 200 && session.until > facts.now()) session.until = facts.now() + SESSION_LIVES
      if (text !== 'It will be able to:') return
      const approval = { ...request, page, session, until: facts.now() + HOUR }
      if (answers === 'wait') facts.approvals.push(approval)
      else await answer(stage, approval, answers === 'allow')
    }
    return {
      what: `${app.name} asks ${session.login.username} for ${scopes} at ${redirectUri} ${verifier ? 'with PKCE' : ''}: ${answers}`,
      run,
    }
  }
}

const answering = (stage: Stage): Maker => {
  const { random, facts } = stage
  return () => {
    const [approval] = facts.approvals.splice(0, 1)
    if (!approval) return undefined
    const isAllowed = random.chance(0.9)
    const { app, session } = approval
    return { what: `${session.login.username} answers ${app.name}: ${isAllowed}`, run: () => answer(stage, approval, isAllowed) }
  }
}

type Mistake = 'none' | 'another app' | 'another secret' | 'another address' | 'another verifier'

/** What an app sends for a code. */
const sentFor = ({ facts }: Stage, code: Code, mistake: Mistake) => {
  const other = facts.apps.find((app) => app !== code.app) ?? code.app
  const { clientId, secret } = mistake === 'another app' ? other : code.app
  const redirect_uri = mistake === 'another address' ? URIS.find((uri) => uri !== code.redirectUri)! : code.redirectUri
  const verifier = mistake === 'another verifier' ? 'x'.repeat(50) : code.verifier
  const app = { clientId, secret: mistake === 'another secret' ? 'wrong' : secret }
  return { app, grant: { grant_type: 'authorization_code', code: code.value, redirect_uri, ...(verifier && { code_verifier: verifier }) } }
}

/** Exchanges a code rightly. */
export const exchange = (stage: Stage, { app, value, redirectUri, verifier }: Request & Pick<Code, 'value'>) =>
  tokenOf(stage, app, {
    grant_type: 'authorization_code',
    code: value,
    redirect_uri: redirectUri,
    ...(verifier && { code_verifier: verifier }),
  })

/** What comes of a code: its token, or that of an earlier approval of the same scopes. */
const redeem = ({ facts, secrets, compare }: Stage, code: Code, value: string) => {
  const known = facts.shared(code)
  if (known) compare('the token that is given again', value, known.value)
  secrets.add(value)
  const { app, login, scopes } = code
  const token: Token = known ?? { value, app, login, scopes, isShared: true, isRevoked: false }
  if (!known) facts.tokens.push(token)
  code.token = token
}

/** Exchanges a code, sometimes twice at once. An exchange that follows one that was answered takes the token back. */
const exchanging = (stage: Stage): Maker => {
  const { random, facts, compare } = stage
  return () => {
    const code = facts.codes.length > 0 ? random.of(facts.codes.slice(-3)) : undefined
    if (!code) return undefined
    const all = ['another app', 'another secret', 'another address', 'another verifier'] as const
    const mistake: Mistake = random.chance(0.75) ? 'none' : random.of(all)
    const isTwice = mistake === 'none' && random.chance(0.2)
    const run = async () => {
      const { app, grant } = sentFor(stage, code, mistake)
      const isRight = mistake === 'none' && facts.isUnused(code) && isActive(code.login)
      const answers = await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => tokenOf(stage, app, grant)))
      const refusal = mistake === 'another secret' ? '401 invalid_client' : '400 invalid_grant'
      const shown = answers.map(({ status, body }) => `${status} ${body.error ?? body.scope}`).toSorted()
      compare(
        'the answers',
        shown,
        answers.map((_, index) => (isRight && index === 0 ? `200 ${code.scopes.join(' ')}` : refusal)).toSorted(),
      )
      const given = answers.find(({ status }) => status === 200)
      if (given) redeem(stage, code, given.body.access_token)
      else if (mistake === 'none' && code.token && !code.isOver && code.until > facts.now()) code.token.isRevoked = true
    }
    return {
      what: `${code.app.name} exchanges a code of ${code.login.username} ${isTwice ? 'twice at once' : ''} (mistake: ${mistake})`,
      run,
    }
  }
}

const revoking = ({ world, random, facts, compare }: Stage): Maker => {
  return () => {
    const token = random.of(facts.tokens)
    if (!token) return undefined
    const app: App = random.chance(0.5) ? token.app : random.of(facts.apps)
    const run = async () => {
      const body = { client_id: app.clientId, client_secret: app.secret, token: token.value }
      const answered = await world.asks('POST', '/oauth/revoke', { body })
      const isOwn = app === token.app || token.login?.isGone
      compare('the answer', [answered.status, answered.body.error], isOwn ? [200, undefined] : [403, 'unauthorized_client'])
      if (isOwn) token.isRevoked = true
    }
    return { what: `${app.name} revokes a token of ${token.app.name} for ${token.login?.username ?? 'itself'}`, run }
  }
}

export const usingApps = (stage: Stage): (readonly [weight: number, make: Maker])[] => [
  [1, registering(stage)],
  [1, ownToken(stage)],
  [7, authorizing(stage)],
  [1, answering(stage)],
  [7, exchanging(stage)],
  [1, revoking(stage)],
]
