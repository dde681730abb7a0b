import { type Browser, letterText, type PageAnswer, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromBase32 } from '../src/credentials/second-factors/base32.ts'
import { stepAt, codeOf as totpOf } from '../src/credentials/second-factors/totp.rules.ts'
import { call, codeOf, type Harness, openHarness, type Person } from './harness.ts'
import { SoftAuthenticator } from './soft-authenticator.ts'

let harness: Harness
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  harness = await openHarness({ hostname: 'localhost', config: { smtpUrl: mail.url } })
})
beforeEach(() => {
  harness.pass(3_600_000)
  harness.toNewWindow()
})
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
  await mail.close()
})

const NEW = '/auth/account/passkeys/new'
const FORM = 'data-passkey'

const newMail = async () => {
  await harness.runJobs()
  return mail.letters.splice(0).map(letterText)
}

/** What a page asks the browser for. */
const questionOn = (page: PageAnswer) => {
  const options = /data-options="([^"]+)"/.exec(page.text)?.[1] ?? ''
  return JSON.parse(options.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

const signIn = async ({ email, password }: Person, browser = harness.browser()) => {
  await browser.submit(await browser.visit('/auth/sign_in'), { email, password })
  return browser
}

type Holder = Person & { browser: Browser; authenticator: SoftAuthenticator }

/** Someone with a passkey. */
const holder = async (name: string): Promise<Holder> => {
  const person = await harness.person(name)
  const browser = await signIn(person)
  const authenticator = new SoftAuthenticator(harness.config.baseUrl)
  const page = await browser.visit(NEW)
  const given = { name: 'my phone', current_password: person.password, credential: authenticator.create(questionOn(page)) }
  const done = await browser.submit(page, given, FORM)
  expect(done.text).toContain('The passkey is added.')
  return { ...person, browser, authenticator }
}

const turnOnCodes = async ({ browser, password }: Holder): Promise<Buffer> => {
  const page = await browser.visit('/auth/account/second_factor')
  const secret = fromBase32(/<code class="secret">([^<]+)</.exec(page.text)?.[1] ?? '')
  await browser.submit(page, { current_password: password, code: totpOf(secret, stepAt(harness.clock.now())) })
  return secret
}

const isSignedIn = async (browser: Browser) => (await browser.visit('/auth/account')).text.includes('Signed in as')

/** Answers the sign-in page with a passkey. */
const answer = async (browser: Browser, credential: (question: ReturnType<typeof questionOn>) => string, at = '/auth/sign_in') => {
  const page = await browser.visit(at)
  return browser.submit(page, { credential: credential(questionOn(page)) }, FORM)
}

describe('adding a passkey', () => {
  it('takes the password and an answer to the question of the page, is listed, and reported by mail', async () => {
    await newMail()
    const { browser, id, authenticator } = await holder('agnes')
    const page = await browser.visit('/auth/account/passkeys')
    expect(page.text).toContain('<strong>my phone</strong>')
    expect(page.text).toContain('Not used yet.')
    expect((await newMail()).join()).toContain('A passkey was added to your account')
    const question = questionOn(await browser.visit(NEW))
    expect(question).toMatchObject({ rp: { id: 'localhost' }, attestation: 'none', user: { id: Buffer.from(id).toString('base64url') } })
    expect(question.excludeCredentials).toEqual([
      { type: 'public-key', id: authenticator.id.toString('base64url'), transports: ['internal'] },
    ])
  })

  it.each([
    ['of a page elsewhere', { origin: 'https://evil.example' }],
    ['for another server', { rpId: 'evil.example' }],
    ['with a statement of an unknown kind', { format: 'fido-u2f' }],
    ['with a statement that may name certificates', { format: 'android-safetynet' }],
  ])('refuses an answer %s', async (what, manner) => {
    const person = await harness.person(`b${what.length}`)
    const browser = await signIn(person)
    const page = await browser.visit(NEW)
    const credential = new SoftAuthenticator(harness.config.baseUrl).create(questionOn(page), manner)
    const refused = await browser.submit(page, { name: 'x', current_password: person.password, credential }, FORM)
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('did not work with this passkey') })
    expect((await browser.visit('/auth/account/passkeys')).text).toContain('There are none yet.')
  })

  it('refuses a wrong password, no answer, an answer given before, and one to the question of another person', async () => {
    const [one, other] = [await harness.person('carla'), await harness.person('dora')]
    const browser = await signIn(one)
    const page = await browser.visit(NEW)
    const make = () => new SoftAuthenticator(harness.config.baseUrl).create(questionOn(page))
    const send = (given: Record<string, string>) => browser.submit(page, { name: 'x', current_password: one.password, ...given }, FORM)
    expect((await send({ credential: make(), current_password: 'no' })).status).toBe(401)
    for (const credential of ['', '{}', 'null', '{"id":"AQ","response":{}}']) expect((await send({ credential })).status).toBe(422)
    expect((await send({ credential: make() })).text).toContain('The passkey is added.')
    expect((await send({ credential: make() })).status).toBe(422)
    const theirs = await signIn(other)
    const own = await theirs.visit(NEW)
    const stolen = /name="passkey_ticket" value="([^"]+)"/.exec((await browser.visit(NEW)).text)?.[1] ?? ''
    const foreign = { name: 'x', current_password: other.password, credential: make(), passkey_ticket: stolen }
    expect((await theirs.submit(own, foreign, FORM)).status).toBe(422)
  })

  it('refuses a passkey that someone else has', async () => {
    const { authenticator, ...first } = await holder('edda')
    const other = await harness.person('frida')
    const browser = await signIn(other)
    const page = await browser.visit(NEW)
    const given = { name: 'x', current_password: other.password, credential: authenticator.create(questionOn(page)) }
    expect((await browser.submit(page, given, FORM)).status).toBe(422)
    expect((await answer(harness.browser(), (question) => authenticator.use(question))).text).toContain(`Signed in as @${first.username}`)
  })
})

describe('signing in with a passkey', () => {
  it('takes the place of name and password, and goes on to the app', async () => {
    const { authenticator, id } = await holder('gerda')
    const app = await harness.registerApp()
    const asked = { response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' }
    const browser = harness.browser()
    const page = await answer(
      browser,
      (question) => authenticator.use(question, { userHandle: id }),
      `/oauth/authorize?${new URLSearchParams(asked)}`,
    )
    expect(page.text).toContain('Signed in as @gerda')
    expect(codeOf(await browser.submit(page, { answer: 'allow' }))).toMatch(/./)
    const rows = await harness.rows(`select last_used_at from auth.passkey where account_id = ${id}`)
    expect(rows[0].last_used_at).not.toBe(null)
  })

  it.each([
    ['without a PIN or a finger', { isVerified: false }],
    ['of a page elsewhere', { origin: 'https://evil.example' }],
    ['for another server', { rpId: 'evil.example' }],
    ['that names another owner', { userHandle: '7' }],
    ['that counts no further', { count: 1 }],
  ])('refuses an answer %s', async (what, manner) => {
    const { authenticator } = await holder(`h${what.length}`)
    const browser = harness.browser()
    const refused = await answer(browser, (question) => authenticator.use(question, manner))
    expect(refused).toMatchObject({ status: 401, text: expect.stringContaining('did not work with this passkey') })
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('takes an answer once, also when twenty send it at once, of authenticators that do not count too', async () => {
    const { authenticator } = await holder('ida')
    harness.restart({ hasRateLimits: false })
    await harness.write('update auth.passkey set sign_count = 0 where credential_id = $1', [authenticator.id])
    const browsers = Array.from({ length: 20 }, () => harness.browser())
    const pages = await Promise.all(browsers.map((browser) => browser.visit('/auth/sign_in')))
    const credential = authenticator.use(questionOn(pages[0]!), { count: 0 })
    const ticket = /name="passkey_ticket" value="([^"]+)"/.exec(pages[0]!.text)?.[1] ?? ''
    const answers = await Promise.all(
      browsers.map((browser, index) => browser.submit(pages[index]!, { credential, passkey_ticket: ticket }, FORM)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)])
    const other = await answer(harness.browser(), (question) => authenticator.use(question, { count: 0 }))
    expect(other.text).toContain('Signed in as @ida')
    harness.restart()
  })

  it('refuses an answer to another question, and one to a question that is over', async () => {
    const { authenticator } = await holder('jutta')
    const browser = harness.browser()
    const old = questionOn(await browser.visit('/auth/sign_in'))
    expect((await answer(browser, () => authenticator.use(old))).status).toBe(401)
    const page = await browser.visit('/auth/sign_in')
    harness.pass(3_600_001)
    expect((await browser.submit(page, { credential: authenticator.use(questionOn(page)) }, FORM)).status).toBe(401)
  })

  it('lets no one in whose login is disabled, and none of an account that is gone', async () => {
    const { authenticator } = await holder('karla')
    await harness.operator.setDisabled(call(), { username: 'karla', isDisabled: true })
    const browser = harness.browser()
    expect((await answer(browser, (question) => authenticator.use(question))).status).toBe(403)
    await harness.operator.deleteAccount(call(), { username: 'karla' })
    expect((await answer(browser, (question) => authenticator.use(question))).status).toBe(401)
  })

  it('is refused after 25 wrong answers of an address', async () => {
    const { authenticator } = await holder('lena')
    const browser = harness.browser()
    for (let times = 0; times < 25; times++) expect((await answer(browser, () => 'no')).status).toBe(401)
    expect((await answer(browser, (question) => authenticator.use(question))).status).toBe(429)
  })
})

describe('a passkey as the second step', () => {
  it('takes the place of the code, by having it, and only for the person whose password was given', async () => {
    const [one, other] = [await holder('maud'), await holder('nora')]
    await turnOnCodes(one)
    const browser = harness.browser()
    const step = await browser.submit(await browser.visit('/auth/sign_in'), { email: one.email, password: one.password })
    expect(step.text).toContain('Second step')
    expect(questionOn(step).allowCredentials).toMatchObject([{ id: one.authenticator.id.toString('base64url') }])
    const send = (by: Holder, more: Record<string, string> = {}) =>
      browser.submit(step, { credential: by.authenticator.use(questionOn(step), { isVerified: false }), ...more }, FORM)
    expect((await send(other)).status).toBe(401)
    // Without proof of the password.
    expect((await send(one, { ticket: '' })).status).toBe(401)
    expect(await isSignedIn(browser)).toBe(false)
    expect((await send(one)).text).toContain('Signed in as @maud')
    // A question of the second step is no question of the first.
    const without = await answer(harness.browser(), (question) => one.authenticator.use(question, { isVerified: false }))
    expect(without.status).toBe(401)
  })

  it('needs no code beside it where it takes the place of the password', async () => {
    const one = await holder('olga')
    await turnOnCodes(one)
    expect((await answer(harness.browser(), (question) => one.authenticator.use(question))).text).toContain('Signed in as @olga')
  })
})

describe('removing a passkey', () => {
  it('takes the password, and a code of those who have a second factor; another person’s is not there', async () => {
    const [one, other] = [await holder('petra'), await holder('quirina')]
    const secret = await turnOnCodes(one)
    const id = one.authenticator.id.toString('base64url')
    const path = `/auth/account/passkeys/remove?${new URLSearchParams({ passkey: id })}`
    expect((await other.browser.visit(path)).status).toBe(404)
    const page = await one.browser.visit(path)
    expect((await one.browser.submit(page, { current_password: one.password })).status).toBe(401)
    const own = await other.browser.visit(`/auth/account/passkeys/remove?passkey=${other.authenticator.id.toString('base64url')}`)
    expect((await other.browser.submit(own, { passkey: id, current_password: other.password })).status).toBe(404)
    await newMail()
    harness.pass(30_000)
    const code = totpOf(secret, stepAt(harness.clock.now()))
    const done = await one.browser.submit(page, { current_password: one.password, code })
    expect(done.text).toContain('The passkey is removed.')
    expect((await newMail()).join()).toContain('A passkey was removed')
    expect((await answer(harness.browser(), (question) => one.authenticator.use(question))).status).toBe(401)
  })

  it('follows when a forgotten password is replaced, which takes back a login that someone else had', async () => {
    const { authenticator, email } = await holder('runa')
    const browser = harness.browser()
    await newMail()
    await browser.submit(await browser.visit('/auth/password/new'), { email })
    const link = /https?:\S+\/auth\/password\/reset\?token=[\w-]{43}/.exec((await newMail()).join())?.[0] ?? ''
    await browser.submit(await browser.visit(link), { password: 'quite another' })
    expect((await answer(harness.browser(), (question) => authenticator.use(question))).status).toBe(401)
  })
})

describe('the pages', () => {
  it('run one script of ours where passkeys are asked for, and none elsewhere', async () => {
    const { browser } = await holder('svea')
    const policies = async (path: string) => (await browser.go(path)).headers.get('content-security-policy')
    for (const path of ['/auth/sign_in', NEW])
      expect(await policies(path)).toContain(`script-src ${harness.config.baseUrl}/auth/passkeys.js;`)
    for (const path of ['/auth/account', '/auth/account/passkeys']) expect(await policies(path)).not.toContain('script-src')
    const script = await harness.request('/auth/passkeys.js')
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect((await browser.visit('/auth/sign_in')).text).not.toMatch(/<script(?! src="\/auth\/passkeys\.js" defer><\/script>)/)
  })

  it('ask for no passkey on a server whose address has none', async () => {
    harness.restart({ baseUrl: harness.origin })
    const plain = await harness.request('/auth/sign_in', { headers: { accept: 'text/html' } })
    expect([plain.text.includes(FORM), plain.headers.get('content-security-policy')?.includes('script-src')]).toEqual([false, false])
    harness.restart()
  })
})
