import { type Browser, letterText, type PageAnswer, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fromBase32 } from '../src/credentials/second-factors/base32.ts'
import { stepAt, codeOf as totpOf } from '../src/credentials/second-factors/totp.rules.ts'
import { authorize, call, codeOf, type Harness, openHarness, type Person } from './harness.ts'

let harness: Harness
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  harness = await openHarness({ config: { smtpUrl: mail.url, trustedProxies: ['loopback'] } })
})
/** An hour on, where every limit begins again, and codes are others. */
beforeEach(() => {
  harness.pass(3_600_000)
  harness.toNewWindow()
})
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
  await mail.close()
})

const PAGE = '/auth/account/second_factor'

/** Someone whose authenticator app has the secret. */
type Holder = Person & { secret: Buffer; recoveryCodes: string[]; browser: Browser }

const newMail = async () => {
  await harness.runJobs()
  return mail.letters.splice(0)
}

/** The code of a holder's app; a later one for each time it is asked for. */
const codeFor = (holder: { secret: Buffer }, steps = 0) => totpOf(holder.secret, stepAt(harness.clock.now()) + steps)
const nextCode = (holder: { secret: Buffer }) => {
  harness.pass(30_000)
  return codeFor(holder)
}

const passwordStep = async (person: Person, browser = harness.browser(), path = '/auth/sign_in') =>
  browser.submit(await browser.visit(path), { email: person.email, password: person.password })

const secretOn = (page: PageAnswer) => fromBase32(/<code class="secret">([^<]+)</.exec(page.text)?.[1] ?? '')
const codesOn = (page: PageAnswer) => [...page.text.matchAll(/<li><code>([^<]+)</g)].map(([, code]) => code ?? '')

const turnOn = async (name: string): Promise<Holder> => {
  const person = await harness.person(name)
  const browser = harness.browser()
  await passwordStep(person, browser)
  const page = await browser.visit(PAGE)
  const secret = secretOn(page)
  const done = await browser.submit(page, { current_password: person.password, code: codeFor({ secret }) })
  expect(done.text).toContain('Your recovery codes')
  return { ...person, secret, recoveryCodes: codesOn(done), browser }
}

const isSignedIn = async (browser: Browser) => (await browser.visit('/auth/account')).text.includes('Signed in as')

describe('turning the second factor on', () => {
  it('takes the password and a code of the secret that was shown, tells ten recovery codes once, and is told by mail', async () => {
    const person = await harness.person('agnes')
    const browser = harness.browser()
    await passwordStep(person, browser)
    const page = await browser.visit(PAGE)
    expect(page.text).toMatch(/<svg class="qr" role="img" aria-label="QR code of the secret"/)
    expect(page.text).toContain('otpauth://totp/')
    const secret = secretOn(page)
    const wrongPassword = await browser.submit(page, { current_password: 'no', code: codeFor({ secret }) })
    expect(wrongPassword).toMatchObject({ status: 401, text: expect.stringContaining('This is not your password') })
    expect(secretOn(wrongPassword)).toEqual(secret)
    const wrongCode = await browser.submit(page, { current_password: person.password, code: '000000' })
    expect(wrongCode).toMatchObject({ status: 422, text: expect.stringContaining('This code is wrong') })
    for (const code of ['12345', '1234567', '', 'é', 'ABCDE-FGHIJ']) {
      const noCode = await browser.submit(page, { current_password: person.password, code })
      expect(noCode, code).toMatchObject({ status: 422, text: expect.stringContaining('This code is wrong') })
      expect(secretOn(noCode)).toEqual(secret)
    }
    await newMail()
    const done = await browser.submit(page, { current_password: person.password, code: codeFor({ secret }) })
    expect(new Set(codesOn(done)).size).toBe(10)
    expect((await browser.visit(PAGE)).text).toContain('You have 10 recovery codes left.')
    expect((await browser.visit('/auth/account')).text).toContain('On: signing in takes a code as well.')
    const [letter] = await newMail()
    expect(letter && letterText(letter)).toContain('takes a code as well from now on')
  })

  it('keeps the secret encrypted, and recovery codes as digests', async () => {
    const holder = await turnOn('bertil')
    const [row] = await harness.rows(`select secret from auth.second_factor where account_id = ${holder.id}`)
    expect(row.secret.includes(holder.secret)).toBe(false)
    expect(row.secret.length).toBe(12 + 32 + 16)
    const rows = await harness.rows(`select digest from auth.recovery_code where account_id = ${holder.id}`)
    expect(rows.map(({ digest }) => digest.length)).toEqual(Array.from({ length: 10 }, () => 32))
  })

  it('takes no secret that was shown to someone else, and none that was not shown', async () => {
    const [one, other] = [await harness.person('carla'), await harness.person('dora')]
    const browsers = [harness.browser(), harness.browser()] as const
    await passwordStep(one, browsers[0])
    await passwordStep(other, browsers[1])
    const theirs = await browsers[0].visit(PAGE)
    const own = await browsers[1].visit(PAGE)
    const ticket = /name="ticket" value="([^"]+)"/.exec(theirs.text)?.[1] ?? ''
    const code = codeFor({ secret: secretOn(theirs) })
    for (const given of [ticket, `${other.id}:on:ABCDEFGH.9999999999999.x`, '']) {
      const answer = await browsers[1].submit(own, { current_password: other.password, code, ticket: given })
      expect(answer.text).not.toContain('Your recovery codes')
    }
    expect(await harness.rows(`select 1 from auth.second_factor where account_id = ${other.id}`)).toEqual([])
  })
})

describe('signing in with a second factor', () => {
  it('asks for a code after the password, and signs no one in before it is right', async () => {
    const holder = await turnOn('edda')
    const browser = harness.browser()
    const step = await passwordStep(holder, browser)
    expect(step).toMatchObject({ status: 200, text: expect.stringContaining('Second step') })
    expect(browser.cookieNames).not.toContain('rookery_session')
    expect(await isSignedIn(browser)).toBe(false)
    const wrong = await browser.submit(step, { code: '000000' })
    expect(wrong).toMatchObject({ status: 401, text: expect.stringContaining('This code is wrong') })
    expect(await isSignedIn(browser)).toBe(false)
    expect((await browser.submit(wrong, { code: nextCode(holder) })).text).toContain('Signed in as @edda')
  })

  it('takes no code of a factor that is replaced meanwhile, and leaves the new one as it is', async () => {
    const holder = await turnOn('eike')
    const browser = harness.browser()
    const step = await passwordStep(holder, browser)
    await harness.rows('begin; lock table auth.second_factor in exclusive mode')
    const answered = browser.submit(step, { code: nextCode(holder) })
    const waits = `select 1 from pg_locks where relation = 'auth.second_factor'::regclass and not granted`
    while ((await harness.rows(waits)).length === 0);
    const ofHolder = `where account_id = ${holder.id}`
    await harness.rows(`update auth.second_factor set secret = 'another', enabled_at = enabled_at + interval '1 s' ${ofHolder}; commit`)
    expect((await answered).status).toBe(401)
    expect(await harness.rows(`select secret from auth.second_factor ${ofHolder}`)).toEqual([{ secret: Buffer.from('another') }])
  })

  it('goes on to the app whose request led to it, and no further without the code', async () => {
    const holder = await turnOn('frida')
    const app = await harness.registerApp()
    const browser = harness.browser()
    const asked = { client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' }
    const path = `/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked })}`
    const step = await passwordStep(holder, browser, path)
    expect(step.text).toContain('Second step')
    // Straight to where one goes on after signing in.
    expect((await browser.visit(path)).text).toContain('name="password"')
    const approval = await browser.submit(step, { code: nextCode(holder) })
    expect(approval.text).toContain('Let Elk in?')
    expect(codeOf(await browser.submit(approval, { answer: 'allow' }))).toMatch(/^[\w-]+$/)
  })

  it('refuses the password grant, as before', async () => {
    const holder = await turnOn('gerd')
    const app = await harness.registerApp()
    const client = { client_id: app.client_id, client_secret: app.client_secret }
    const answer = await harness.post('/oauth/token', {
      grant_type: 'password',
      username: holder.email,
      password: holder.password,
      ...client,
    })
    expect(answer).toMatchObject({ status: 400, json: { error: 'unsupported_grant_type' } })
  })

  it('takes a code once: neither again nor that of before, also when fifty browsers send it at once', async () => {
    const holder = await turnOn('hanna')
    harness.restart({ hasRateLimits: false })
    const code = nextCode(holder)
    const steps = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const browser = harness.browser()
        return { browser, step: await passwordStep(holder, browser) }
      }),
    )
    const answers = await Promise.all(steps.map(({ browser, step }) => browser.submit(step, { code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 401)])
    expect((await Promise.all(steps.map(({ browser }) => isSignedIn(browser)))).filter(Boolean)).toHaveLength(1)
    const late = harness.browser()
    expect((await late.submit(await passwordStep(holder, late), { code: codeFor(holder, -1) })).status).toBe(401)
    expect((await late.submit(await passwordStep(holder, late), { code: codeFor(holder, 1) })).text).toContain('Signed in as')
    harness.restart()
  })

  it('takes a recovery code once, however it is typed and however often at once, and tells of it by mail', async () => {
    const holder = await turnOn('ida')
    const [first = '', second = ''] = holder.recoveryCodes
    const browsers = Array.from({ length: 5 }, () => harness.browser())
    const steps = await Promise.all(browsers.map((browser) => passwordStep(holder, browser)))
    await newMail()
    const answers = await Promise.all(browsers.map((browser, index) => browser.submit(steps[index]!, { code: first.toUpperCase() })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    const letters = (await newMail()).map(letterText)
    expect(letters.filter((text) => text.includes('One of the recovery codes'))).toHaveLength(1)
    const browser = harness.browser()
    const done = await browser.submit(await passwordStep(holder, browser), { code: second.replaceAll('-', ' ') })
    expect(done.text).toContain('Signed in as @ida')
    expect((await browser.visit(PAGE)).text).toContain('You have 8 recovery codes left.')
  })

  it('takes no code of another person', async () => {
    const [one, other] = [await turnOn('jutta'), await turnOn('karla')]
    const browser = harness.browser()
    const step = await passwordStep(one, browser)
    for (const code of [nextCode(other), other.recoveryCodes[0]!]) expect((await browser.submit(step, { code })).status).toBe(401)
  })

  it('allows ten codes an hour, right or wrong, from wherever they come, and mails about the first wrong one', async () => {
    const holder = await turnOn('lena')
    harness.pass(3_600_000)
    harness.toNewWindow()
    const browser = harness.browser()
    const step = await passwordStep(holder, browser)
    await newMail()
    for (let times = 0; times < 10; times++) expect((await browser.submit(step, { code: '000000' })).status).toBe(401)
    const other = harness.browser({ 'x-forwarded-for': '198.51.100.7' })
    const refused = await other.submit(await passwordStep(holder, other), { code: nextCode(holder) })
    expect(refused).toMatchObject({ status: 429, text: expect.stringContaining('too many attempts') })
    expect((await newMail()).map(letterText).filter((text) => text.includes('a wrong code'))).toHaveLength(1)
    harness.pass(600_000)
    expect((await other.submit(await passwordStep(holder, other), { code: nextCode(holder) })).status).toBe(429)
    harness.pass(3_600_000)
    expect((await other.submit(await passwordStep(holder, other), { code: nextCode(holder) })).text).toContain('Signed in as @lena')
  })

  it('begins again once the second step took too long, the password changed or the login was disabled', async () => {
    const holder = await turnOn('maud')
    const browser = harness.browser()
    const slow = await passwordStep(holder, browser)
    harness.pass(600_001)
    expect((await browser.submit(slow, { code: nextCode(holder) })).text).toContain('name="password"')
    const step = await passwordStep(holder, browser)
    const page = await holder.browser.visit('/auth/account/password')
    await holder.browser.submit(page, { current_password: holder.password, code: nextCode(holder), password: 'quite another' })
    expect((await browser.submit(step, { code: nextCode(holder) })).text).toContain('name="password"')
    const again = await passwordStep({ ...holder, password: 'quite another' }, browser)
    await harness.operator.setDisabled(call(), { username: 'maud', isDisabled: true })
    expect((await browser.submit(again, { code: nextCode(holder) })).text).toContain('name="password"')
  })

  it('takes no form without a token, and no made-up ticket', async () => {
    const holder = await turnOn('nora')
    const browser = harness.browser()
    const step = await passwordStep(holder, browser)
    const none = await browser.go('/auth/sign_in/code', { method: 'POST', body: new URLSearchParams({ code: nextCode(holder) }) })
    expect(none.status).toBe(403)
    const forged = await browser.submit(step, { code: codeFor(holder), ticket: `${holder.id}:x.9999999999999.y` })
    expect(forged.text).toContain('name="password"')
    // A ticket that is theirs, and for something else.
    const other = await harness.person('olga')
    await passwordStep(other, browser)
    const ticket = /name="ticket" value="([^"]+)"/.exec((await browser.visit(PAGE)).text)?.[1] ?? ''
    expect(ticket).toContain(`${other.id}:on:`)
    expect((await harness.browser().visit('/auth/sign_in/code')).text).toContain('name="password"')
    const stranger = harness.browser()
    const theirs = await passwordStep(holder, stranger)
    expect((await stranger.submit(theirs, { code: codeFor(holder), ticket })).text).toContain('name="password"')
  })

  it('ends the sign-in the browser had before, so that a planted one is not taken over', async () => {
    const planted = await harness.person('petra')
    const holder = await turnOn('quirin')
    const browser = harness.browser()
    await passwordStep(planted, browser)
    const before = browser.cookie('rookery_session')
    const step = await passwordStep(holder, browser)
    expect((await browser.submit(step, { code: nextCode(holder) })).text).toContain('Signed in as @quirin')
    expect(browser.cookie('rookery_session')).not.toBe(before)
  })
})

describe('a second factor that is on', () => {
  it('asks for a code wherever the password is asked for once more', async () => {
    const holder = await turnOn('rolf')
    for (const path of ['email', 'password', 'delete']) {
      const page = await holder.browser.visit(`/auth/account/${path}`)
      expect({ path, asks: page.text.includes('name="code"') }).toEqual({ path, asks: true })
      const given = { current_password: holder.password, email: 'rolf@new.example', password: 'another one' }
      const answer = await holder.browser.submit(page, given, 'current_password')
      expect({ path, status: answer.status }).toEqual({ path, status: 401 })
    }
    expect(await isSignedIn(holder.browser)).toBe(true)
  })

  it('makes new recovery codes, which end the old ones, and is turned off, each with the password and a code', async () => {
    const holder = await turnOn('sven')
    const page = await holder.browser.visit(PAGE)
    for (const given of [
      { current_password: holder.password, code: '' },
      { current_password: 'no', code: nextCode(holder) },
    ]) {
      expect((await holder.browser.submit(page, { ...given, act: 'off' })).status).toBe(401)
      expect((await holder.browser.submit(page, { ...given, act: 'renew' })).status).toBe(401)
    }
    await newMail()
    const renewed = await holder.browser.submit(page, { current_password: holder.password, code: nextCode(holder), act: 'renew' })
    const codes = codesOn(renewed)
    expect([codes.length, codes.some((code) => holder.recoveryCodes.includes(code))]).toEqual([10, false])
    const old = { current_password: holder.password, code: holder.recoveryCodes[0]!, act: 'off' }
    expect((await holder.browser.submit(page, old)).status).toBe(401)
    const off = await holder.browser.submit(page, { ...old, code: codes[0]! })
    expect(off.text).toContain('The second factor is off')
    const letters = (await newMail()).map(letterText).join('\n')
    for (const words of ['New recovery codes were made', 'was turned off just now']) expect(letters).toContain(words)
    expect((await passwordStep(holder)).text).toContain('Signed in as @sven')
    expect(await harness.rows(`select 1 from auth.recovery_code where account_id = ${holder.id}`)).toEqual([])
  })

  it('is turned off by the operator, which the log shows; what is on stays on for others', async () => {
    const [holder, other] = [await turnOn('tilda'), await turnOn('ulla')]
    expect((await harness.operator.readAccount(call(), { username: 'tilda' })).hasSecondFactor).toBe(true)
    await harness.operator.disableSecondFactor(call(), { username: 'tilda' })
    expect((await harness.operator.readAccount(call(), { username: 'tilda' })).hasSecondFactor).toBe(false)
    expect((await passwordStep(holder)).text).toContain('Signed in as @tilda')
    expect((await passwordStep(other)).text).toContain('Second step')
    const { acts } = await harness.operator.listActs(call(), {})
    expect(acts[0]).toMatchObject({ action: 'disable_second_factor', username: 'tilda', staffId: '' })
    await expect(harness.operator.disableSecondFactor(call(), { username: 'no one' })).rejects.toMatchObject({ kind: 'not_found' })
  })

  it('goes with the account', async () => {
    const holder = await turnOn('vera')
    await harness.operator.deleteAccount(call(), { username: 'vera' })
    expect(await harness.rows(`select 1 from auth.second_factor where account_id = ${holder.id}`)).toEqual([])
  })

  it('is read after the key was changed, as long as the old one is named behind the new one', async () => {
    const secret = (text: string) => ({ reveal: () => text.repeat(40) }) as Harness['config']['encryptionKeys'][number]
    const holder = await turnOn('wanda')
    const signIn = async () => {
      const browser = harness.browser()
      return browser.submit(await passwordStep(holder, browser), { code: nextCode(holder) })
    }
    harness.restart({ encryptionKeys: [secret('a')] })
    expect((await signIn()).text).toContain('Signed in as @wanda')
    harness.restart({ encryptionKeys: [secret('b'), secret('a')] })
    expect((await signIn()).text).toContain('Signed in as @wanda')
    harness.restart({ encryptionKeys: [secret('b')] })
    expect((await signIn()).text).toContain('Signed in as @wanda')
    harness.restart({ encryptionKeys: [secret('c')] })
    expect((await signIn()).status).toBe(500)
    expect(harness.logged.splice(0).join()).toContain('encrypted with another ENCRYPTION_KEY')
    harness.restart()
  })
})

describe('an older version beside this one', () => {
  const PHC = /\$[A-Za-z0-9+/]{43}$/
  const hashOf = async ({ id }: Person) =>
    (await harness.rows(`select password_hash from auth.login where account_id = ${id}`))[0]?.password_hash

  it('finds the password of a holder wrong, also one that it sets itself, until the second factor is off', async () => {
    const holder = await turnOn('xenia')
    const kept = await hashOf(holder)
    expect(kept).not.toMatch(PHC)
    // What an older version writes when someone follows a link for a new password.
    const [{ password_hash: other }] = await harness.rows(
      `select password_hash from auth.login where account_id = ${(await harness.person('yann')).id}`,
    )
    await harness.write('update auth.login set password_hash = $1 where account_id = $2', [other, holder.id])
    expect(await hashOf(holder)).toBe(`${other}2`)
    const known = { ...holder, password: 'yann knows' }
    expect((await passwordStep(known)).text).toContain('Second step')
    await harness.operator.disableSecondFactor(call(), { username: 'xenia' })
    expect(await hashOf(holder)).toBe(other)
    expect((await passwordStep(known)).text).toContain('Signed in as @xenia')
  })
})

describe('a server that asks for second factors', () => {
  it('lets no app in before it is on, and goes on to the app then', async () => {
    const person = await harness.person('zoe')
    const app = await harness.registerApp()
    harness.restart({ requireSecondFactor: 'all' })
    const browser = harness.browser()
    const asked = { client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' }
    const path = `/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked })}`
    const page = await passwordStep(person, browser, path)
    expect(page.text).toContain('asks you for a second factor')
    // Straight to the approval.
    const detour = await browser.visit(path)
    expect(detour.text).toContain('asks you for a second factor')
    const secret = secretOn(detour)
    const done = await browser.submit(detour, { current_password: person.password, code: codeFor({ secret }) })
    const next = /<p class="foot"><a href="([^"]+)"/.exec(done.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect((await browser.visit(next)).text).toContain('Let Elk in?')
    harness.restart()
  })

  it('may ask only staff', async () => {
    harness.restart({ requireSecondFactor: 'staff' })
    const [user, staff] = [await harness.person('anton'), await harness.person('bodil')]
    await harness.operator.setRole(call(), { username: 'bodil', role: 'moderator' })
    const app = await harness.registerApp()
    const asked = { client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' }
    expect(codeOf(await authorize(harness.browser(), asked, user))).toMatch(/./)
    expect((await passwordStep(staff)).text).toContain('asks you for a second factor')
    harness.restart()
  })
})
