import { createHash } from 'node:crypto'
import { TokenState } from '@rookery/contracts/auth'
import { type Browser, letterText, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorize, call, codeOf, type Harness, openHarness, type Person } from './harness.ts'

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

const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const PHONE = { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36' }

const newLetters = async () => {
  await harness.runJobs()
  return mail.letters.splice(0)
}

/** A browser of someone, signed in; with the page of their login. */
const signedIn = async ({ email, password }: Person, headers: Record<string, string> = FIREFOX) => {
  const browser = harness.browser(headers)
  const page = await browser.submit(await browser.visit('/auth/sign_in'), { email, password })
  return { browser, page }
}

const stateOf = async (token: string) => {
  const { holders } = await harness.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })
  return holders[0]?.state
}

/** Lets an app in through a browser and gives its token. */
const letIn = async (browser: Browser, person: Person, app: Awaited<ReturnType<Harness['registerApp']>>): Promise<string> => {
  const asked = { client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' }
  const code = codeOf(await authorize(browser, asked, person))
  const client = { client_id: app.client_id, client_secret: app.client_secret }
  const { json } = await harness.post('/oauth/token', { grant_type: 'authorization_code', code, redirect_uri: 'elk://x', ...client })
  return json.access_token
}

describe('signing in without an app', () => {
  it('leads to one’s login, and is the sign-in that apps find too', async () => {
    const mara = await harness.person('mara')
    expect((await harness.browser().visit('/auth/account')).text).toContain('to look after your login')
    const { browser, page } = await signedIn(mara)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Signed in as @mara') })
    expect(page.text).toContain('mara@example.com')
    const app = await harness.registerApp()
    const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' })
    expect((await browser.visit(`/oauth/authorize?${query}`)).text).toContain('Let Elk in?')
  })

  it('says what is wrong as the page on the way to an app does', async () => {
    const browser = harness.browser()
    const answer = await browser.submit(await browser.visit('/auth/sign_in'), { email: 'mara@example.com', password: 'no' })
    expect(answer).toMatchObject({ status: 401, text: expect.stringContaining('do not belong together') })
  })

  it('ends by signing out, of which apps notice nothing, and for someone who is disabled', async () => {
    const joel = await harness.person('joel')
    const { browser } = await signedIn(joel)
    const other = (await signedIn(joel)).browser
    const out = await browser.visit('/auth/sign_out')
    expect(await browser.submit(out, {})).toMatchObject({ status: 200, text: expect.stringContaining('Signed out') })
    expect((await browser.visit('/auth/account')).text).toContain('name="password"')
    expect(await stateOf(joel.accessToken)).toBe(TokenState.VALID)
    await harness.operator.setDisabled(call(), { username: 'joel', isDisabled: true })
    expect((await other.visit('/auth/account')).text).toContain('name="password"')
  })

  it('ends the sign-in the browser had before', async () => {
    const first = await harness.person('first')
    const second = await harness.person('second')
    const { browser } = await signedIn(first)
    await browser.submit(await browser.visit('/auth/sign_in'), { email: second.email, password: second.password })
    const { page } = await signedIn(first)
    expect(page.text.match(/Firefox, Linux/g)).toHaveLength(1)
  })
})

describe('one’s own login', () => {
  it('shows apps and browsers, and ends each of them and no one else’s', async () => {
    const nadia = await harness.person('nadia')
    const other = await harness.person('odile')
    const app = await harness.registerApp()
    const phone = harness.browser(PHONE)
    const token = await letIn(phone, nadia, app)
    const others = await letIn(harness.browser(), other, app)
    const { browser, page } = await signedIn(nadia)
    expect(page.text).toContain('<strong>Elk</strong>')
    expect(page.text).toContain('<strong>rookery command</strong>')
    expect(page.text).toMatch(/<strong>Firefox, Linux<\/strong><span>This one/)
    expect(page.text).toContain('<strong>Chrome, Android</strong>')

    harness.live.length = 0
    const afterApp = await browser.submit(page, {}, `value="${app.id}"`)
    expect(afterApp.text).toContain('Signed out.')
    expect(afterApp.text).not.toContain('<strong>Elk</strong>')
    expect([await stateOf(token), await stateOf(others), await stateOf(nadia.accessToken)]).toEqual([
      TokenState.REVOKED,
      TokenState.VALID,
      TokenState.VALID,
    ])
    expect(harness.live.map(({ $case }) => $case)).toEqual(['tokenRevoked'])

    const uid = /name="browser" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const theirs = await signedIn(other)
    const forged = theirs.page.text.replace(/action="\/auth\/account\/everywhere[^"]*"/, 'action="/auth/account/browsers"')
    await theirs.browser.submit({ ...theirs.page, text: forged }, { browser: uid }, '/auth/account/browsers')
    expect((await phone.visit('/auth/account')).text).toContain('Signed in as @nadia')
    await browser.submit(page, {}, '/auth/account/browsers')
    expect((await phone.visit('/auth/account')).text).toContain('name="password"')
    expect((await browser.visit('/auth/account')).text).toContain('Signed in as @nadia')
  })

  it('signs out an app with the codes that it has not exchanged yet', async () => {
    const otto = await harness.person('otto')
    const { browser } = await signedIn(otto)
    const [app, other] = [await harness.registerApp(), await harness.registerApp()]
    await letIn(browser, otto, app)
    const codes = []
    for (const { client_id } of [app, other]) codes.push(codeOf(await authorize(browser, { client_id, redirect_uri: 'elk://x' }, otto)))
    await browser.submit(await browser.visit('/auth/account'), {}, `value="${app.id}"`)
    const exchange = async ({ client_id, client_secret }: typeof app, code = '') =>
      (await harness.post('/oauth/token', { grant_type: 'authorization_code', code, redirect_uri: 'elk://x', client_id, client_secret }))
        .json
    expect(await exchange(app, codes[0])).toMatchObject({ error: 'invalid_grant' })
    expect(await exchange(other, codes[1])).toMatchObject({ token_type: 'Bearer' })
  })

  it('is left everywhere at once', async () => {
    const pavel = await harness.person('pavel')
    const { browser, page } = await signedIn(pavel)
    const phone = (await signedIn(pavel, PHONE)).browser
    const answer = await browser.submit(page, {}, '/auth/account/everywhere')
    expect(answer.text).toContain('Signed out everywhere')
    for (const each of [browser, phone]) expect((await each.visit('/auth/account')).text).toContain('name="password"')
    expect(await stateOf(pavel.accessToken)).toBe(TokenState.REVOKED)
  })

  it('takes no form that is not ours, and none of someone signed out', async () => {
    const { browser } = await signedIn(await harness.person('quinn'))
    for (const path of ['apps', 'browsers', 'everywhere', 'email', 'password']) {
      const answer = await browser.go(`/auth/account/${path}`, { method: 'POST', body: new URLSearchParams({ app: '1' }) })
      expect({ path, status: answer.status }).toEqual({ path, status: 403 })
      const none = await harness.browser().go(`/auth/account/${path}`, { method: 'POST', body: new URLSearchParams() })
      expect(none).toMatchObject({ status: 303, location: '/auth/sign_in?lang=en' })
    }
    expect((await browser.go('/auth/sign_out', { method: 'POST', body: new URLSearchParams() })).status).toBe(403)
    expect((await browser.visit('/auth/account')).text).toContain('Signed in as @quinn')
  })
})

describe('another password', () => {
  it('needs the one there is, and ends everything the old one had begun', async () => {
    const rosa = await harness.person('rosa')
    const { browser } = await signedIn(rosa)
    const page = await browser.visit('/auth/account/password')
    const change = (current_password: string, password: string) => browser.submit(page, { current_password, password })
    expect(await change('wrong', 'rosa knows more')).toMatchObject({ status: 401, text: expect.stringContaining('not your password') })
    expect(await change(rosa.password, 'short')).toMatchObject({ status: 422, text: expect.stringContaining('At least 8 characters') })
    expect(await stateOf(rosa.accessToken)).toBe(TokenState.VALID)
    harness.live.length = 0
    expect((await change(rosa.password, 'rosa knows more')).text).toContain('Your password is changed')
    expect(await stateOf(rosa.accessToken)).toBe(TokenState.REVOKED)
    expect(harness.live.map(({ $case }) => $case)).toEqual(['tokenRevoked'])
    expect((await browser.visit('/auth/account')).text).toContain('name="password"')
    expect((await signedIn({ ...rosa, password: 'rosa knows more' })).page.status).toBe(200)
    expect((await newLetters()).map(({ to }) => to)).toEqual([['rosa@example.com']])
  })

  it('is asked for ten times in five minutes, tries to sign in included', async () => {
    const sami = await harness.person('sami')
    const { browser } = await signedIn(sami)
    const page = await browser.visit('/auth/account/password')
    for (let times = 0; times < 9; times++) expect((await browser.submit(page, { current_password: 'no', password: 'x' })).status).toBe(401)
    const over = await browser.submit(page, { current_password: sami.password, password: 'sami knows more' })
    expect(over.status).toBe(429)
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('another address', () => {
  const linkIn = (letter: Parameters<typeof letterText>[0] | undefined) =>
    /https?:\S+\/auth\/account\/email\/confirm\?token=[\w-]{43}/.exec(letter ? letterText(letter) : '')?.[0] ?? 'no link'

  const ask = async (person: Person, email: string, password = person.password) => {
    const { browser } = await signedIn(person)
    const page = await browser.visit('/auth/account/email')
    return browser.submit(page, { email, current_password: password })
  }

  it('is one’s own when the link sent there is followed, and the old one hears of both', async () => {
    const tara = await harness.person('tara')
    expect(await ask(tara, 'tara@new.example')).toMatchObject({ status: 200, text: expect.stringContaining('The old one stays yours') })
    const letters = await newLetters()
    const link = linkIn(letters.find(({ to }) => to[0] === 'tara@new.example'))
    expect(letterText(letters.find(({ to }) => to[0] === tara.email)!)).toContain('stays yours until')
    expect((await signedIn(tara)).page.status).toBe(200)

    const elsewhere = harness.browser()
    const page = await elsewhere.visit(link)
    expect(page.text).toContain('tara@new.example is the address of your account')
    expect((await signedIn(tara)).page.status).toBe(200)
    expect((await elsewhere.submit(page, {})).text).toContain('Your address is changed')
    expect((await signedIn(tara)).page.status).toBe(401)
    expect((await signedIn({ ...tara, email: 'tara@new.example' })).page.status).toBe(200)
    const [notice] = await newLetters()
    expect(notice?.to).toEqual(['tara@example.com'])
    expect(letterText(notice!)).toContain('no longer yours')
    expect(await elsewhere.submit(page, {})).toMatchObject({ status: 404, text: expect.stringContaining('no longer works') })
  })

  it('is not taken without the password, nor when it is none or someone’s', async () => {
    const uma = await harness.person('uma')
    expect(await ask(uma, 'uma@new.example', 'wrong')).toMatchObject({ status: 401, text: expect.stringContaining('not your password') })
    expect(await ask(uma, 'nowhere')).toMatchObject({ status: 422, text: expect.stringContaining('This is not an e-mail address.') })
    const taken = await ask(uma, 'MARA@example.com')
    expect(taken).toMatchObject({ status: 422, text: expect.stringContaining('There is an account with this address already.') })
    expect(await newLetters()).toEqual([])
  })

  it('stays another’s who took it meanwhile, and an older or late link does nothing', async () => {
    const vera = await harness.person('vera')
    await ask(vera, 'vera@first.example')
    const older = linkIn((await newLetters()).find(({ to }) => to[0] === 'vera@first.example'))
    await ask(vera, 'vera@second.example')
    const newer = linkIn((await newLetters()).find(({ to }) => to[0] === 'vera@second.example'))
    const browser = harness.browser()
    expect((await browser.visit(older)).status).toBe(404)
    const page = await browser.visit(newer)
    await harness.operator.createAccount(call(), { username: 'walt', email: 'vera@second.example' })
    expect(await browser.submit(page, {})).toMatchObject({ status: 409, text: expect.stringContaining('This address is taken') })
    harness.pass(86_400_000)
    expect((await browser.visit(newer)).status).toBe(404)
    harness.toNewWindow()
    expect((await signedIn(vera)).page.status).toBe(200)
  })

  it('is given up when the password is changed', async () => {
    const xena = await harness.person('xena')
    await ask(xena, 'xena@new.example')
    const link = linkIn((await newLetters()).find(({ to }) => to[0] === 'xena@new.example'))
    await ask(xena, 'xena@newer.example')
    const { browser } = await signedIn(xena)
    await browser.submit(await browser.visit('/auth/account/password'), { current_password: xena.password, password: 'xena knows more' })
    expect((await newLetters()).map(({ to }) => to[0])).not.toContain('xena@newer.example')
    expect((await harness.browser().visit(link)).status).toBe(404)
  })

  it('is given up by a change of password also while its mail is under way', async () => {
    const yara = await harness.person('yara')
    await ask(yara, 'yara@new.example')
    // As when a worker has the job already: it cannot be taken back any more.
    await harness.rows(`update auth_jobs._private_jobs set key = null where key like 'send-email-change:%'`)
    const { browser } = await signedIn(yara)
    await browser.submit(await browser.visit('/auth/account/password'), { current_password: yara.password, password: 'another one' })
    const letters = await newLetters()
    expect(letters.filter(({ to }) => to[0] === 'yara@new.example')).toEqual([])
    expect(await harness.rows(`select 1 from auth.email_change where account_id = ${yara.id}`)).toEqual([])
  })

  it('is one’s own at once on a server that sends no mail', async () => {
    const silent = await openHarness()
    const yuri = await silent.person('yuri')
    const browser = silent.browser()
    await browser.submit(await browser.visit('/auth/sign_in'), { email: yuri.email, password: yuri.password })
    const page = await browser.visit('/auth/account/email')
    const answer = await browser.submit(page, { email: 'yuri@new.example', current_password: yuri.password })
    expect(answer.text).toContain('Your address is changed')
    expect((await browser.visit('/auth/account')).text).toContain('yuri@new.example')
    await silent.close()
  })
})
