import { createHash } from 'node:crypto'
import { TokenState } from '@rookery/contracts/auth'
import { letterText, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorize, call, codeOf, type Harness, openHarness } from './harness.ts'

let harness: Harness
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  harness = await openHarness({ config: { smtpUrl: mail.url, trustedProxies: ['loopback'] } })
})
beforeEach(() => harness.toNewWindow())
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
  await mail.close()
})

const APP_PATH = (clientId: string) =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: 'elk://x', scope: 'read' })}`

/** The letters sent since they were last looked at. */
const newLetters = async () => {
  await harness.runJobs()
  return mail.letters.splice(0)
}

const ask = async (email: string, browser = harness.browser()) => browser.submit(await browser.visit('/auth/password/new'), { email })

const linkIn = (letter: Parameters<typeof letterText>[0] | undefined) =>
  /https?:\S+\/auth\/password\/reset\?token=[\w-]{43}/.exec(letter ? letterText(letter) : '')?.[0] ?? 'no link'

const linkFor = async (email: string) => {
  await ask(email)
  // Beside the letter that says a password was changed, in either order.
  return (await newLetters()).map(linkIn).find((link) => link !== 'no link') ?? 'no link'
}

const stateOf = async (token: string) => {
  const { holders } = await harness.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })
  return holders[0]?.state
}

describe('a forgotten password', () => {
  it('is asked about from the sign-in page, and answered alike whether or not anyone has the address', async () => {
    await harness.person('mara')
    const app = await harness.registerApp()
    const browser = harness.browser()
    const signIn = await browser.visit(APP_PATH(app.client_id))
    const page = await browser.visit(/href="(\/auth\/password\/new[^"]*)"/.exec(signIn.text)?.[1] ?? '')
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Forgot your password?') })

    harness.statements.length = 0
    const known = await browser.submit(page, { email: 'MARA@example.com' })
    const ofKnown = harness.statements.splice(0)
    const unknown = await browser.submit(page, { email: 'nobody@example.com' })
    expect(known).toMatchObject({ status: 200, text: expect.stringContaining('Look into your mail') })
    expect(unknown.text).toBe(known.text)
    expect(harness.statements).toEqual(ofKnown)
    expect((await newLetters()).map(({ to }) => to)).toEqual([['mara@example.com']])
  })

  it('is asked about by username too', async () => {
    await harness.person('sevi')
    for (const name of ['sevi', '@Sevi']) {
      await ask(name)
      expect((await newLetters()).map(({ to }) => to)).toEqual([['sevi@example.com']])
    }
    await ask('@nobody')
    expect(await newLetters()).toEqual([])
  })

  it('is answered by one letter, however often the mail server did not take it before, and no failure names an address', async () => {
    await harness.person('tobi')
    mail.state.isRefusing = true
    await ask('tobi@example.com')
    for (let tries = 0; tries < 3; tries++) expect(await newLetters()).toEqual([])
    const [job, ...more] = await harness.rows('select attempts, last_error from auth_jobs._private_jobs where attempts > 0')
    expect(more).toEqual([])
    expect(job).toMatchObject({ attempts: 3, last_error: expect.stringContaining('451 not now') })
    expect(job.last_error).not.toMatch(/@example\.com/)
    mail.state.isRefusing = false
    for (const letters of [['tobi@example.com'], []]) expect((await newLetters()).flatMap(({ to }) => to)).toEqual(letters)
  })

  it('is set again by a link that works once, and every sign-in, code and token ends', async () => {
    const person = await harness.person('joel')
    const app = await harness.registerApp()
    const browser = harness.browser()
    const code = codeOf(await authorize(browser, { client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' }, person))
    const waiting = harness.browser()
    const approval = await waiting.submit(await waiting.visit(APP_PATH(app.client_id)), { email: person.email, password: person.password })
    expect(approval.text).toContain('Let Elk in?')

    const link = await linkFor(person.email)
    const page = await harness.browser().visit(link)
    const own = harness.browser()
    const form = await own.visit(link)
    expect(page.text).toContain('signed out everywhere')
    expect(await own.submit(form, { password: 'short' })).toMatchObject({
      status: 422,
      text: expect.stringContaining('At least 8 characters'),
    })
    harness.live.length = 0
    const events = (await harness.events()).length
    expect(await own.submit(form, { password: 'joel knows more' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('Your password is changed'),
    })
    expect(await stateOf(person.accessToken)).toBe(TokenState.REVOKED)
    expect(harness.live.map(({ $case }) => $case)).toEqual(['tokenRevoked'])
    expect((await harness.events()).slice(events).map(({ $case }) => $case)).toEqual(['tokenRevoked'])

    const exchanged = await harness.post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'elk://x',
      client_id: app.client_id,
      client_secret: app.client_secret,
    })
    expect(exchanged).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
    expect((await waiting.submit(approval, { answer: 'allow' })).text).toContain('This took too long')
    expect((await browser.visit(APP_PATH(app.client_id))).text).toContain('name="password"')

    expect(await own.submit(form, { password: 'joel knows much more' })).toMatchObject({
      status: 404,
      text: expect.stringContaining('no longer works'),
    })
    const again = harness.browser()
    const signIn = (password: string) =>
      again.visit(APP_PATH(app.client_id)).then((at) => again.submit(at, { email: person.email, password }))
    expect((await signIn(person.password)).status).toBe(401)
    expect((await signIn('joel knows more')).text).toContain('Let Elk in?')
    expect(letterText((await newLetters())[0]!)).toContain('was changed just now')
  })

  describe('on the way to somewhere', () => {
    const linked = (page: { text: string }, path: string) =>
      new RegExp(`href="(${path}[^"]*)"`).exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? `/no-link-to${path}`
    // Beside it may come the news that the password was changed by the link before.
    const mailedLink = async () => {
      const found = (await newLetters()).flatMap((letter) => /https?:\S+\/auth\/password\/reset\?\S+/.exec(letterText(letter)) ?? [])
      return found.at(-1) ?? 'no link'
    }
    type Asked = { password: string; from?: ReturnType<typeof harness.browser>; by?: ReturnType<typeof harness.browser> }
    /** Asks for a link on the page at an address and sets the password by it, in the same browser unless said; the page that says so. */
    const resetFrom = async (address: string, person: { email: string }, { password, from = harness.browser(), by = from }: Asked) => {
      await from.submit(await from.visit(address), { email: person.email })
      const link = await mailedLink()
      const refused = await by.submit(await by.visit(link), { password: 'short' })
      return { link, browser: by, done: await by.submit(refused, { password }) }
    }
    /** Where a page leads on, besides the start page behind the mark. */
    const linksOf = ({ text }: { text: string }) =>
      [...text.slice(text.indexOf('</p>')).matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address)
    const encoded = (request: string) => Buffer.from(request).toString('base64url')

    it('leads back to the request of the app', async () => {
      const person = await harness.person('orla')
      const app = await harness.registerApp()
      const request = `${APP_PATH(app.client_id)}&state=${encodeURIComponent('a&b=c/ü')}&lang=de`
      const forgotten = linked(await harness.browser().visit(request), '/auth/password/new')
      const { browser, done } = await resetFrom(forgotten, person, { password: 'orla knows more' })
      const signIn = await browser.visit(linked(done, '/auth/sign_in'))
      expect(signIn.text).toContain('Elk')
      const approval = await browser.submit(signIn, { email: person.email, password: 'orla knows more' })
      expect(approval.text).toContain('Elk Zugang geben?')
      const { location = '' } = await browser.submit(approval, { answer: 'allow' })
      expect(location).toMatch(/^elk:\/\/x\?/)
      expect(new URL(location).searchParams.get('state')).toBe('a&b=c/ü')
    })

    it('leads back to the page of ours that asked for the sign-in', async () => {
      const person = await harness.person('pelle')
      const forgotten = linked(await harness.browser().visit('/auth/sign_in?return_to=/settings/profile'), '/auth/password/new')
      const { browser, done } = await resetFrom(forgotten, person, { password: 'pelle knows more' })
      const signIn = await browser.visit(linked(done, '/auth/sign_in'))
      const form = new URLSearchParams({ email: person.email, password: 'pelle knows more' })
      const token = /name="form_token" value="([^"]+)"/.exec(signIn.text)?.[1] ?? ''
      form.set('form_token', token)
      const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(signIn.text) ?? []
      expect((await browser.go(action.replaceAll('&amp;', '&'), { method: 'POST', body: form })).location).toBe('/settings/profile')
    })

    it('leads to no app in another browser, and no mail names one: a stranger may have asked for the link', async () => {
      const person = await harness.person('rahel')
      const app = await harness.registerApp()
      const forgotten = linked(await harness.browser().visit(APP_PATH(app.client_id)), '/auth/password/new')
      const { link, done } = await resetFrom(forgotten, person, { password: 'rahel knows more', by: harness.browser() })
      expect(link).toMatch(/\?token=[\w-]{43}$/)
      expect(linksOf(done)).toEqual(['/auth/sign_in?lang=en'])
    })

    it('is forgotten once it was shown', async () => {
      const person = await harness.person('stine')
      const from = harness.browser()
      const forgotten = '/auth/password/new?return_to=/settings/profile'
      const first = await resetFrom(forgotten, person, { from, password: 'stine knows more' })
      expect(linked(first.done, '/auth/sign_in')).toContain('return_to=')
      const second = await resetFrom('/auth/password/new', person, { from, password: 'stine knows much more' })
      expect(linksOf(second.done)).toEqual(['/auth/sign_in?lang=en'])
    })

    it('is not that of an earlier request, which was given up', async () => {
      const person = await harness.person('tilda')
      const from = harness.browser()
      await from.submit(await from.visit('/auth/password/new?return_to=/settings/profile'), { email: person.email })
      await mailedLink()
      const { done } = await resetFrom('/auth/password/new', person, { from, password: 'tilda knows more' })
      expect(linksOf(done)).toEqual(['/auth/sign_in?lang=en'])
    })

    it('leads nowhere else, whatever the address says', async () => {
      const person = await harness.person('quin')
      const hostile = {
        return_to: [
          'https://elsewhere.example/',
          '//elsewhere.example/admin',
          '/\\elsewhere.example',
          '/admin//elsewhere.example',
          'javascript:alert(1)',
          '/oauth/authorize',
          '/settings"><script>',
        ],
        authorize: [
          'https://elsewhere.example/',
          encoded('https://elsewhere.example/'),
          encoded('redirect_uri=https://elsewhere.example/'),
          '"><script>alert(1)</script>',
        ],
      }
      for (const [name, values] of Object.entries(hostile))
        for (const value of values) {
          harness.toNewWindow()
          const query = new URLSearchParams({ lang: 'en', [name]: value })
          const { link, done } = await resetFrom(`/auth/password/new?${query}`, person, { password: 'quin knows more' })
          expect({ value, link }).toEqual({ value, link: expect.stringMatching(/\?token=[\w-]{43}$/) })
          const late = await linkFor(person.email)
          const browser = harness.browser()
          const direct = await browser.submit(await browser.visit(`${late}&${query}`), { password: 'quin knows more' })
          for (const page of [done, direct]) {
            expect({ value, links: linksOf(page) }).toEqual({ value, links: ['/auth/sign_in?lang=en'] })
          }
        }
    })

    it('leads from a link that no longer works to another one, on the same way', async () => {
      const person = await harness.person('sunniva')
      const browser = harness.browser()
      const query = 'return_to=%2Fsettings%2Fprofile'
      await browser.submit(await browser.visit(`/auth/password/new?${query}`), { email: person.email })
      const page = await browser.visit('/auth/password/reset?lang=en&token=x')
      expect(page.status).toBe(404)
      expect(linked(page, '/auth/password/new')).toBe(`/auth/password/new?lang=en&${query}`)
    })

    it('is not kept where it is longer than browsers keep', async () => {
      const person = await harness.person('tove')
      const kept = async (length: number) => {
        const request = new URLSearchParams({ client_id: 'x', state: 's'.repeat(length) })
        const address = `/auth/password/new?authorize=${encoded(String(request))}`
        const { done } = await resetFrom(address, person, { password: 'tove knows more' })
        return linked(done, '/auth/sign_in').includes('authorize=')
      }
      expect([await kept(1200), await kept(2000)]).toEqual([true, false])
    })

    it('has an app judged again that asks to be led elsewhere', async () => {
      const person = await harness.person('runa')
      const app = await harness.registerApp()
      const request = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'https://elsewhere.example/' })
      const { browser, done } = await resetFrom(`/auth/password/new?authorize=${encoded(String(request))}`, person, {
        password: 'runa knows more',
      })
      const signIn = await browser.visit(linked(done, '/auth/sign_in'))
      const answer = await browser.submit(signIn, { email: person.email, password: 'runa knows more' })
      expect([answer.status, answer.location]).toEqual([400, undefined])
      expect(answer.text).not.toContain('Let Elk in?')
    })
  })

  it('ends all other links for it, and none works after an hour or made up', async () => {
    const { email } = await harness.person('nadia')
    const first = await linkFor(email)
    const second = await linkFor(email)
    const browser = harness.browser()
    await browser.submit(await browser.visit(second), { password: 'nadia knows more' })
    const third = await linkFor(email)
    const late = await browser.visit(third)
    expect(late.status).toBe(200)
    harness.pass(3600_000)
    for (const address of [first, third, '/auth/password/reset?token=x', '/auth/password/reset']) {
      expect(await browser.visit(address)).toMatchObject({ status: 404, text: expect.stringContaining('no longer works') })
    }
    expect((await browser.submit(late, { password: 'nadia knows all' })).status).toBe(404)
    await harness.runJob('forget-expired')
    expect(await harness.rows('select 1 from auth.password_reset')).toEqual([])
  })

  it('leaves neither link nor token where they could be read', async () => {
    const { email } = await harness.person('odile')
    const token = (await linkFor(email)).slice(-43)
    const rows = await harness.rows('select row_to_json(r)::text as row from auth.password_reset r')
    const jobs = await harness.rows('select row_to_json(j)::text as row from auth_jobs._private_jobs j')
    expect(JSON.stringify([rows, jobs, harness.logged, harness.statements])).not.toContain(token)
  })

  it('cannot be asked about or set by a form that is not ours', async () => {
    for (const path of ['/auth/password/new', '/auth/password/reset']) {
      const body = new URLSearchParams({ email: 'mara@example.com', token: 'x', password: 'mara knows more' })
      expect((await harness.browser().go(path, { method: 'POST', body })).status).toBe(403)
    }
  })

  it('is asked about five times an address in half an hour, and 25 times from one network in five minutes', async () => {
    for (let times = 0; times < 5; times++) {
      expect((await ask('pavel@example.com', harness.browser({ 'x-forwarded-for': `192.0.2.${times}` }))).status).toBe(200)
    }
    const over = await ask('PAVEL@example.com', harness.browser({ 'x-forwarded-for': '192.0.2.99' }))
    expect(over).toMatchObject({ status: 429, text: expect.stringContaining('Too many attempts') })
    const one = harness.browser({ 'x-forwarded-for': '198.51.100.1' })
    const page = await one.visit('/auth/password/new')
    for (let times = 0; times < 25; times++) expect((await one.submit(page, { email: `n${times}@example.com` })).status).toBe(200)
    const last = await one.submit(page, { email: 'n@example.com' })
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

it('leads to the people who run a server that sends no mail', async () => {
  const silent = await openHarness()
  const app = await silent.registerApp()
  const signIn = await silent.browser().visit(APP_PATH(app.client_id))
  const page = await silent.browser().visit(/href="(\/auth\/password\/new[^"]*)"/.exec(signIn.text)?.[1] ?? '')
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Ask the people who run it') })
  expect(page.text).not.toContain('<form')
  await silent.close()
})
