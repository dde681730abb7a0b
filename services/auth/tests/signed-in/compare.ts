import { letterText } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { cover } from './apps.ts'
import { type Link, type Login, stateOf, type Token } from './facts.ts'
import { type Act, DAY, HOUR, type Stage, said } from './stage.ts'

// Tries everything that the facts know, without using it up: tokens, sessions, codes, links, invitations. Each works or fails as they say.

const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/accounts/verify_credentials': ['read:accounts', 'profile'],
  '/api/v1/bookmarks': ['read:bookmarks'],
  '/api/v1/lists': ['read:lists'],
  '/api/v1/mutes': ['read:mutes'],
  '/api/v1/follow_requests': ['read:follows'],
}

const LOGIN_FAULTS: Partial<Record<string, string>> = {
  disabled: 'Your login is currently disabled',
  unconfirmed: 'Your login is missing a confirmed e-mail address',
}

/** What an endpoint says to a token (spec, Errors 1; beyond-the-spec 1.4). */
const wantedOf = ({ isRevoked, login, scopes }: Token, accepted: readonly string[]): readonly [number, string?] => {
  if (login?.isGone) return [401, 'The access token is invalid']
  if (isRevoked) return [401, 'The access token was revoked']
  if (!login) return [422, 'This API requires an authenticated user']
  const fault = LOGIN_FAULTS[stateOf(login)]
  if (fault) return [403, fault]
  return accepted.some((scope) => cover(scopes, scope)) ? [200] : [403, 'This action is outside the authorized scopes']
}

const compareTokens = async ({ world, random, facts, compare }: Stage) => {
  for (const token of facts.tokens) {
    const path = random.of(Object.keys(ENDPOINTS))
    const { status, body } = await world.asks('GET', path, { token: token.value })
    const wanted = wantedOf(token, ENDPOINTS[path]!)
    compare(`${path} with a token of ${token.app.name} for ${token.login?.username}`, [status, body?.error], [wanted[0], wanted[1]])
  }
}

const SHOWN = ['Signed in as', 'name="password"', 'This link no longer works', 'This code is no longer good', 'Almost there']

const comparePages = async (stage: Stage) => {
  const { world, facts, compare } = stage
  const page = async (path: string) => {
    const { status, text } = await world.asks('GET', path, { headers: { accept: 'text/html' } })
    return [status, SHOWN.find((shown) => text.includes(shown))]
  }
  for (const session of facts.sessions) {
    const is = said(await session.browser.visit('/auth/account'), ...SHOWN)
    compare(`a browser of ${session.login.username}`, is, [200, facts.isIn(session) ? SHOWN[0] : SHOWN[1]])
  }
  for (const link of facts.links)
    compare(`a ${link.kind} link of ${link.login.username} (${link.email})`, (await page(link.path))[0], facts.isGood(link) ? 200 : 404)
  for (const code of facts.codes) {
    const is = await page(`/oauth/authorize/native?code=${code.value}`)
    compare(`a code of ${code.login.username}`, is, facts.isUnused(code) ? [200, SHOWN[4]] : [400, SHOWN[3]])
  }
  for (const invite of facts.invites)
    compare(`an invitation of ${invite.by.username}`, (await page(`/invite/${invite.code}`))[0], facts.isOpen(invite) ? 200 : 404)
}

/** What an operator is shown of a login. */
const compareLogin = async ({ world, facts, compare }: Stage, login: Login) => {
  const { username } = login
  const shown = await world.operator().readAccount(innerCall(), { username })
  const apps = new Set(facts.tokens.filter((token) => token.login === login && !token.isRevoked).map(({ app }) => app))
  const isLasting = ({ isOver, until, login: of }: (typeof facts.sessions)[number]) => of === login && !isOver && until > facts.now()
  compare(
    `the login of ${username}`,
    [shown.login?.email, shown.login?.isConfirmed, shown.login?.isDisabled, shown.login?.isSuspended, shown.hasSecondFactor],
    [login.email, login.isConfirmed, login.isDisabled, login.isSuspended, login.factor !== undefined],
  )
  compare(`apps and browsers of ${username}`, [shown.apps, shown.browsers], [apps.size, facts.sessions.filter(isLasting).length])
  const session = facts.sessions.find((each) => each.login === login && facts.isIn(each))
  if (!session) return
  const { text } = await session.browser.visit('/auth/account')
  const listed = [...text.matchAll(/name="app" value="(\d+)"/g)].map(([, id]) => id)
  compare(`the apps that ${username} is shown`, listed.toSorted(), [...apps].map(({ id }) => id).toSorted())
  const factor = (await session.browser.visit('/auth/account/second_factor')).text
  const left = /You have (\d+) recovery code/.exec(factor)?.[1]
  compare(`recovery codes of ${username}`, left, login.factor && String(login.factor.recoveryCodes.length))
}

/** What each kind of mail says. */
const MAILS: Readonly<Record<string, string>> = {
  confirmation: 'with this e-mail address. If it was you, follow this link',
  reset: 'Someone asked to set a new password',
  change: 'wants to have this e-mail address',
  disabled: 'disabled your login',
  suspended: 'suspended your account',
  accountClosed: 'was deleted just now',
  emailChanging: 'Another e-mail address was asked for',
  emailChanged: 'has another e-mail address from now on',
  passwordChanged: 'You were signed out everywhere',
  secondFactorOn: 'takes a code as well from now on',
  secondFactorOff: 'was turned off just now',
  recoveryCodesMade: 'New recovery codes were made',
  recoveryCodeUsed: 'One of the recovery codes',
  wrongCode: 'typed a wrong code of your second factor',
}

const LIVES = { confirmation: 7 * DAY, reset: HOUR, change: DAY }
type Letter = { kind: string; to: string; text: string }
const isLink = (kind: string): kind is Link['kind'] => Object.hasOwn(LIVES, kind)

/** Notes the link of a mail: of the login with its address, or of the one that asked for this address. */
const keepLink = ({ facts, secrets }: Stage, { by }: Act, { kind, to, text }: Letter & { kind: Link['kind'] }) => {
  const [path, login] = [/https?:\/\/\S+token=\S+/.exec(text)?.[0], kind === 'change' ? by : facts.named(to)]
  if (!path || !login) return
  secrets.add(new URL(path).searchParams.get('token') ?? '')
  facts.links.push({ kind, path, login, email: to, until: facts.now() + LIVES[kind], isOver: false })
}

/** Compares the mails that came of an act with those that were expected, and keeps their links. */
export const compareMails = (stage: Stage, act: Act): void => {
  const { facts, mail, compare } = stage
  const letters = mail.letters.splice(0).map((letter): Letter => {
    const text = letterText(letter)
    return { kind: Object.keys(MAILS).find((kind) => text.includes(MAILS[kind]!)) ?? text, to: letter.to.join(), text }
  })
  const shown = letters.map(({ kind, to }) => `${kind} to ${to}`).toSorted()
  compare('mails', shown, facts.mails.map(([kind, to]) => `${kind} to ${to}`).toSorted())
  facts.mails = []
  for (const letter of letters) if (isLink(letter.kind)) keepLink(stage, act, { ...letter, kind: letter.kind })
}

/** Tries everything that is known. */
export const compareAll = async (stage: Stage): Promise<void> => {
  await compareTokens(stage)
  await comparePages(stage)
  for (const login of stage.facts.logins) if (!login.isGone) await compareLogin(stage, login)
}
