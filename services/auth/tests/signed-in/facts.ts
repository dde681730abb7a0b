import type { Browser, PageAnswer } from '@rookery/test-world'
import type { Random } from '@rookery/test-world/random'

// What a walk knows of who may do what: logins and all that they gave, and the rules by which it ends.

/** A second factor, and its unused recovery codes. */
export type Factor = { secret: Buffer; lastStep: number; recoveryCodes: string[] }

export type Login = {
  id: string
  username: string
  email: string
  password: string
  isConfirmed: boolean
  isDisabled: boolean
  isSuspended: boolean
  isGone: boolean
  factor?: Factor | undefined
  /** Counts what ends a sign-in that waits for its second step: new passwords, and a factor that is turned on or off. */
  version: number
}

/** A browser in which a login is signed in, until a time. */
export type Session = { browser: Browser; login: Login; until: number; isOver: boolean }

export type App = { id: string; name: string; clientId: string; secret: string; scopes: string[]; redirectUris: string[] }

/** A token; without a login it is the app's own. `isShared` if approvals of the same scopes give it again. */
export type Token = { value: string; app: App; login?: Login | undefined; scopes: string[]; isShared: boolean; isRevoked: boolean }

/** What an app asked for, and its code once a person allowed it. */
export type Request = { app: App; redirectUri: string; scopes: string[]; verifier: string | undefined }
export type Code = Request & { value: string; login: Login; until: number; token?: Token; isOver: boolean }

/** A page that asks a person to let an app in. */
export type Approval = Request & { page: PageAnswer; session: Session; until: number }

/** A page that asks for the second factor. */
export type Step = { page: PageAnswer; browser: Browser; login: Login; version: number; until: number }

/** A mailed link; the address is the one that it confirms, or was sent to. */
export type Link = { kind: 'confirmation' | 'reset' | 'change'; path: string; login: Login; email: string; until: number; isOver: boolean }

export type Invite = { code: string; by: Login; uses: number; maxUses: number; until: number; isOver: boolean }

/** A mail that is expected: its kind and its recipient. */
export type Mail = readonly [kind: string, to: string]

export type State = 'active' | 'unconfirmed' | 'disabled' | 'gone'

/** The state of a login; disabled takes precedence over unconfirmed. */
export const stateOf = ({ isGone, isDisabled, isSuspended, isConfirmed }: Login): State => {
  if (isGone) return 'gone'
  if (isDisabled || isSuspended) return 'disabled'
  return isConfirmed ? 'active' : 'unconfirmed'
}

export const isActive = (login: Login): boolean => stateOf(login) === 'active'

export class Facts {
  readonly logins: Login[] = []
  /** The last sign-in of each browser. */
  sessions: Session[] = []
  readonly apps: App[] = []
  readonly tokens: Token[] = []
  readonly codes: Code[] = []
  readonly approvals: Approval[] = []
  readonly steps: Step[] = []
  readonly links: Link[] = []
  readonly invites: Invite[] = []
  /** Mails that are not compared yet. */
  mails: Mail[] = []
  readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  named(email: string): Login | undefined {
    return this.logins.find((login) => !login.isGone && login.email === email)
  }

  /** A session, mostly one of a browser that is signed in. */
  session(random: Random): Session | undefined {
    const good = this.sessions.filter((session) => this.isIn(session))
    const all = good.length > 0 && random.chance(0.9) ? good : this.sessions
    return all.length > 0 ? random.of(all) : undefined
  }

  sessionsOf(login: Login): Session[] {
    return this.sessions.filter((session) => session.login === login && this.isIn(session))
  }

  /** Whether a browser is signed in. */
  isIn({ isOver, until, login }: Session): boolean {
    return !isOver && until > this.now() && isActive(login)
  }

  isGood(link: Link): boolean {
    const { kind, login, email, until, isOver } = link
    return !isOver && until > this.now() && !login.isGone && (kind !== 'confirmation' || login.email === email)
  }

  isOpen({ isOver, uses, maxUses, until, by }: Invite): boolean {
    return !isOver && uses < maxUses && until > this.now() && isActive(by)
  }

  isUnused({ token, isOver, until }: Code): boolean {
    return !token && !isOver && until > this.now()
  }

  /** A browser has one sign-in at a time. */
  signIn(login: Login, browser: Browser, until: number): void {
    this.signOut(browser)
    this.sessions = this.sessions.filter((session) => session.browser !== browser)
    this.sessions.push({ login, browser, until, isOver: false })
  }

  signOut(browser: Browser): void {
    for (const session of this.sessions) if (session.browser === browser) session.isOver = true
  }

  /** Signs an app out, or all apps: neither tokens nor codes are left. */
  endApps(login: Login, app?: App): void {
    const isMeant = (each: { login?: Login | undefined; app: App }) => each.login === login && (!app || each.app === app)
    for (const token of this.tokens.filter(isMeant)) token.isRevoked = true
    for (const code of this.codes.filter(isMeant)) code.isOver = true
  }

  endAll(login: Login): void {
    for (const session of this.sessions) if (session.login === login) session.isOver = true
    this.endApps(login)
  }

  endLinks(login: Login, ...kinds: Link['kind'][]): void {
    for (const link of this.links) if (link.login === login && kinds.includes(link.kind)) link.isOver = true
  }

  /** A new password ends everything that the one before gave. */
  changePassword(login: Login, password: string): void {
    this.endAll(login)
    this.endLinks(login, 'reset', 'change')
    login.password = password
    login.version++
    this.mails.push(['passwordChanged', login.email])
  }

  /** Another address ends the links that set a password and were mailed to the one before. */
  changeEmail(login: Login, email: string): void {
    this.endLinks(login, 'reset')
    login.email = email
  }

  remove(login: Login): void {
    this.endAll(login)
    this.mails.push(['accountClosed', login.email])
    login.isGone = true
  }

  /** The token that an approval of the same scopes gave. */
  shared({ app, login, scopes }: Code): Token | undefined {
    const isSame = (token: Token) => token.scopes.toSorted().join() === scopes.toSorted().join()
    return this.tokens.find((token) => token.isShared && !token.isRevoked && token.app === app && token.login === login && isSame(token))
  }
}
