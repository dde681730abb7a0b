import type { App, Invite, Login } from './facts.ts'
import { DAY, HOUR, type Maker, newBrowser, newPassword, newWord, type Stage, said } from './stage.ts'

// Sign-ups by apps and by invitations, and their confirmation.

/** The app with which people sign up, and its own token. */
export type SignUpApp = { app: App; token: string }

/** The login of a person who has just signed up. */
export const newLogin = (given: Pick<Login, 'id' | 'username' | 'email' | 'password'>): Login => ({
  ...given,
  isConfirmed: false,
  isDisabled: false,
  isSuspended: false,
  isGone: false,
  version: 0,
})

/** The id of an account that has just signed up. */
const idOf = async ({ owner }: Stage, email: string): Promise<string> =>
  (await owner.get(`/api/v2/admin/accounts?email=${encodeURIComponent(email)}`)).body[0]?.id

/** The forms of one person, or of two who want the same address or the same username. */
const formsOf = ({ random, facts }: Stage): { username: string; email: string }[] => {
  const one = { username: newWord('ada'), email: random.chance(0.15) ? random.of(facts.logins).email : `${newWord('new')}@example.org` }
  const others = [
    { ...one, username: newWord('bob') },
    { ...one, email: `${newWord('new')}@example.org` },
  ]
  return random.chance(0.4) ? [one, random.of(others)] : [one]
}

/** Signs up by an app. Of two people who want the same at once, one gets it. */
const signingUp = (stage: Stage, { app, token }: SignUpApp): Maker => {
  const { world, facts, compare, secrets } = stage
  return () => {
    if (facts.logins.filter(({ isGone }) => !isGone).length > 6) return undefined
    const [forms, password] = [formsOf(stage), newPassword(stage)]
    const run = async () => {
      const isFree = forms.map(({ email }) => facts.named(email) === undefined)
      const isSame = forms.length > 1 && forms[0]?.email === forms[1]?.email
      const send = (form: object) =>
        world.asks('POST', '/api/v1/accounts', { token, body: { ...form, password, agreement: true, locale: 'en' } })
      const answers = await Promise.all(forms.map(send))
      const admitted = Math.min(1, isFree.filter(Boolean).length)
      compare('how many may sign up', answers.filter(({ status }) => status === 200).length, isSame && !isFree[0] ? 0 : admitted)
      compare(
        'what others are told',
        [...new Set(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 422))],
        [],
      )
      for (const [index, { status, body }] of answers.entries()) {
        if (status !== 200) continue
        const { username, email } = forms[index]!
        secrets.add(body.access_token)
        const login = newLogin({ id: await idOf(stage, email), username, email, password })
        facts.logins.push(login)
        facts.mails.push(['confirmation', email])
        facts.tokens.push({ value: body.access_token, app, login, scopes: app.scopes, isShared: false, isRevoked: false })
      }
    }
    return { what: `${forms.map(({ username, email }) => `${username} (${email})`)} sign up`, run }
  }
}

/** The app asks for the confirmation mail again, maybe at another address (beyond-the-spec 2.1). */
const resending = ({ world, random, facts, compare }: Stage, { app }: SignUpApp): Maker => {
  return () => {
    const own = facts.tokens.filter((each) => each.app === app && each.login && !each.isShared && !each.isRevoked)
    const { login, value } = random.of(own) ?? {}
    if (!login || !value || login.isGone || login.isDisabled || login.isSuspended) return undefined
    const email = random.chance(0.5) ? random.of([`${newWord('other')}@example.org`, random.of(facts.logins).email]) : undefined
    const isTaken = () => email !== undefined && facts.named(email) !== undefined && facts.named(email) !== login
    const run = async () => {
      const { status } = await world.asks('POST', '/api/v1/emails/confirmations', { token: value, body: email ? { email } : {} })
      compare('the status', status, login.isConfirmed ? 403 : isTaken() ? 422 : 200)
      if (status !== 200) return
      if (email) facts.changeEmail(login, email)
      facts.mails.push(['confirmation', login.email])
    }
    return { what: `${login.username} asks for the confirmation again ${email ? `at ${email}` : ''}`, run }
  }
}

const inviting = ({ random, facts, compare }: Stage): Maker => {
  return () => {
    const session = facts.session(random)
    if (!session || !facts.isIn(session)) return undefined
    const { browser, login: by } = session
    const [maxUses, until] = [random.of(['1', '1', '5']), random.of([HOUR, DAY])]
    const run = async () => {
      const values = { max_uses: maxUses, expires_in: String(until / 1000) }
      const page = await browser.submit(await browser.visit('/auth/account/invites'), values)
      const code = /href="[^"]*\/invite\/([A-Za-z0-9]+)"/.exec(page.text)?.[1]
      compare('whether there is a link', code !== undefined, true)
      if (code) facts.invites.push({ code, by, uses: 0, maxUses: Number(maxUses), until: facts.now() + until, isOver: false })
    }
    return { what: `${by.username} makes an invitation for ${maxUses}`, run }
  }
}

/** Signs up by an invitation; sometimes two people at once. */
const joining = (stage: Stage): Maker => {
  const { random, facts, compare } = stage
  const join = async ({ code }: Invite, names: string[], password: string) => {
    const form = (username: string) => ({ username, email: `${username}@example.org`, password, agreement: 'true' })
    const visits = names.map((name) => ({ name, browser: newBrowser(stage) }))
    const pages = await Promise.all(visits.map(({ browser }) => browser.visit(`/invite/${code}`)))
    return { pages, send: () => Promise.all(visits.map(({ name, browser }, index) => browser.submit(pages[index]!, form(name)))) }
  }
  return () => {
    const invite = facts.invites.length > 0 ? random.of(facts.invites.slice(-3)) : undefined
    if (!invite || facts.logins.filter(({ isGone }) => !isGone).length > 7) return undefined
    const names = Array.from({ length: random.of([1, 1, 2]) }, () => newWord('cem'))
    const password = newPassword(stage)
    const run = async () => {
      const isOpen = facts.isOpen(invite)
      const { pages, send } = await join(invite, names, password)
      compare(
        'the pages',
        pages.map(({ status }) => status),
        names.map(() => (isOpen ? 200 : 404)),
      )
      if (!isOpen) return
      const left = invite.maxUses - invite.uses
      const answers = (await send()).map((page) => said(page, 'Look into your mail', 'not valid'))
      const wanted = names.map((_, index) => (index < left ? [200, 'Look into your mail'] : [404, 'not valid']))
      compare('the answers', answers.toSorted(), wanted.toSorted())
      for (const [index, username] of names.entries()) {
        if (answers[index]?.[0] !== 200) continue
        const email = `${username}@example.org`
        invite.uses++
        facts.logins.push(newLogin({ id: await idOf(stage, email), username, email, password }))
        facts.mails.push(['confirmation', email])
      }
    }
    return { what: `${names} join by an invitation of ${invite.by.username}`, run }
  }
}

export const signingUpAndIn = (stage: Stage, own: SignUpApp): (readonly [weight: number, make: Maker])[] => [
  [2, signingUp(stage, own)],
  [2, resending(stage, own)],
  [1, inviting(stage)],
  [2, joining(stage)],
]
