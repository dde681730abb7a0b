import { createHash } from 'node:crypto'
import { LoginState } from '@rookery/contracts/auth'
import { letterText, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Harness, openHarness } from './harness.ts'

const TYPED = { username: 'mara', email: 'mara@example.com', password: 'mara knows', agreement: 'true' }

const authorizePath = (clientId: string, more: Record<string, string> = {}) =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: 'elk://x', ...more })}`

describe('signing up', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await openHarness({ config: { hasRateLimits: false } })
  })
  afterAll(async () => {
    expect(harness.logged).toEqual([])
    await harness.close()
  })

  it('shows what is wrong beside each field, and keeps what was typed but the password', async () => {
    const browser = harness.browser()
    const page = await browser.visit('/auth/sign_up')
    for (const address of ['/about', '/privacy-policy', '/auth/sign_in']) expect(page.text).toContain(`<a href="${address}?lang=en">`)
    const again = await browser.submit(page, { username: 'ma ra', email: 'nope', password: 'short' })
    expect(again.status).toBe(422)
    for (const [field, sentence] of [
      ['username', 'Only letters, digits and underscores are possible.'],
      ['email', 'This is not an e-mail address.'],
      ['password', 'At least 8 characters, please.'],
      ['agreement', 'Without this there is no account.'],
    ]) {
      expect(again.text).toContain(`id="${field}-error">${sentence}<`)
      expect(again.text).toMatch(new RegExp(`<input id="${field}"[^>]*aria-describedby="${field}-error" aria-invalid="true"`))
    }
    expect(again.text).toContain('value="ma ra"')
    expect(again.text).not.toContain('short')
    const done = await browser.submit(again, TYPED)
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('Your account is ready.') })
    expect(done.text).toContain('<a href="/auth/sign_in?lang=en">')
    const taken = await browser.submit(page, TYPED)
    expect(taken.text).toContain('There is an account with this address already.')
  })

  it('refuses a form that is not ours', async () => {
    const body = new URLSearchParams({ ...TYPED, username: 'eve', email: 'eve@example.com' })
    const answer = await harness.browser().go('/auth/sign_up', { method: 'POST', body })
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('out of date') })
  })

  it('shows a page for a form that cannot be read', async () => {
    for (const body of ['{"a":', '[1]']) {
      const answer = await harness.browser().go('/auth/sign_up', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('<h1>') })
    }
  })

  it('goes on to the app when it began there', async () => {
    const app = await harness.registerApp()
    const browser = harness.browser()
    const signIn = await browser.visit(authorizePath(app.client_id, { lang: 'de' }))
    const signUp = await browser.visit(/href="([^"]+\/sign_up\?[^"]+)"/.exec(signIn.text)?.[1]?.replaceAll('&amp;', '&') ?? '')
    expect(signUp.text).toContain('<html lang="de">')
    const approval = await browser.submit(signUp, { ...TYPED, username: 'joel', email: 'joel@example.com' })
    expect(approval.text).toContain('Elk Zugang geben?')
    expect(approval.text).toContain('@joel')
    expect((await browser.submit(approval, { answer: 'allow' })).location).toMatch(/^elk:\/\/x\?code=/)
  })

  it('says so when statuses cannot be reached, and nothing is half done for ever', async () => {
    const browser = harness.browser()
    const page = await browser.visit('/auth/sign_up')
    harness.statuses.breaking = { call: 'open' }
    const answer = await browser.submit(page, { ...TYPED, username: 'nadia', email: 'nadia@example.com' })
    expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('Just a moment') })
    harness.statuses.breaking = undefined
    expect((await browser.submit(page, { ...TYPED, username: 'nadia', email: 'nadia@example.com' })).text).toContain(
      'Your account is ready.',
    )
  })
})

describe('registrations that are not open', () => {
  it('show that they are closed, and no link from signing in', async () => {
    const harness = await openHarness({ config: { registrations: 'closed' } })
    const app = await harness.registerApp()
    expect(await harness.browser().visit('/auth/sign_up')).toMatchObject({
      status: 403,
      text: expect.stringContaining('No one can sign up'),
    })
    const signIn = await harness.browser().visit(authorizePath(app.client_id))
    expect(signIn.text).not.toContain('sign_up')
    await harness.close()
  })

  it('ask for a reason and tell people that they wait for approval', async () => {
    const harness = await openHarness({ config: { registrations: 'approval' } })
    const app = await harness.registerApp()
    const browser = harness.browser()
    const page = await browser.visit('/auth/sign_up')
    expect((await browser.submit(page, TYPED)).text).toContain('id="reason-error"')
    expect((await browser.submit(page, { ...TYPED, reason: 'tea' })).text).toContain('Waiting for approval')
    const refused = await browser.submit(await browser.visit(authorizePath(app.client_id)), {
      email: TYPED.email,
      password: TYPED.password,
    })
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('currently pending approval') })
    await harness.close()
  })
})

describe('confirmation by mail', () => {
  let harness: Harness
  let mail: Awaited<ReturnType<typeof startMailServer>>
  beforeAll(async () => {
    mail = await startMailServer()
    harness = await openHarness({ config: { confirmation: 'mail', smtpUrl: mail.url } })
  })
  afterAll(async () => {
    expect(harness.logged).toEqual([])
    await harness.close()
    await mail.close()
  })

  const linkIn = (letter: Parameters<typeof letterText>[0] | undefined) => {
    const link = /https?:\S+\/auth\/confirmation\?token=[\w-]{43}/.exec(letter ? letterText(letter) : '')?.[0]
    if (!link) throw new Error('no link in the letter')
    return link
  }
  const stateOf = async (token: string) => {
    const { holders } = await harness.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })
    return holders[0]?.loginState
  }
  const register = async (username: string, locale = 'en') => {
    const app = await harness.registerApp()
    const email = `${username}@example.com`
    const sent = {
      appId: app.id,
      username,
      email,
      password: `${username} knows`,
      agreement: true,
      locale,
      reason: '',
      address: '192.0.2.1',
    }
    const { accessToken } = await harness.registrations.register(call(), sent)
    const { holders } = await harness.tokens.check(call(), { digests: [createHash('sha256').update(accessToken).digest()] })
    return { app, email, password: sent.password, accessToken, id: holders[0]?.accountId ?? '' }
  }

  it('sends a link in the language chosen, which confirms once its button is pressed', async () => {
    const mara = await register('mara', 'de')
    expect(await stateOf(mara.accessToken)).toBe(LoginState.UNCONFIRMED)
    expect(await harness.statuses.account(mara.id)).toMatchObject({ isActive: false })
    await harness.runJobs()
    const letter = mail.letters.at(-1)
    expect(letter).toMatchObject({ from: 'no-reply@rookery.example', to: ['mara@example.com'] })
    expect(letterText(letter!)).toContain('folge diesem Link')

    const browser = harness.browser()
    const page = await browser.visit(linkIn(letter))
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Confirm your address') })
    expect(await stateOf(mara.accessToken)).toBe(LoginState.UNCONFIRMED)
    const confirmed = await browser.submit(page, {})
    for (const words of ['<h1>Confirmed</h1>', '<a href="/auth/sign_in?lang=en">']) expect(confirmed.text).toContain(words)
    expect(await stateOf(mara.accessToken)).toBe(LoginState.ACTIVE)
    expect(await harness.events()).toEqual([
      { $case: 'signedUp', value: { accountId: mara.id } },
      { $case: 'loginStateChanged', value: { accountId: mara.id, isActive: true } },
    ])
    await harness.runJobs()
    expect(await harness.statuses.account(mara.id)).toMatchObject({ isActive: true })
    expect((await browser.submit(page, {})).text).toContain('<h1>Confirmed</h1>')
    expect((await harness.events()).length).toBe(2)
  })

  it('tries again while the mail server takes nothing', async () => {
    await register('patient')
    const before = mail.letters.length
    mail.state.isRefusing = true
    await harness.runJobs()
    mail.state.isRefusing = false
    expect(mail.letters.length).toBe(before)
    await harness.runJobs()
    expect(mail.letters.at(-1)?.to).toEqual(['patient@example.com'])
    expect((await harness.browser().visit(linkIn(mail.letters.at(-1)))).status).toBe(200)
  })

  it('leads on to the app on whose way they signed up, or signed in unconfirmed', async () => {
    const app = await harness.registerApp()
    for (const [username, comes] of [
      ['greta', 'signed up'],
      ['hedda', 'signed in'],
    ] as const) {
      const browser = harness.browser()
      const typed = { username, email: `${username}@example.com`, password: `${username} knows`, agreement: '1' }
      const known = { email: typed.email, password: typed.password }
      const signIn = await browser.visit(authorizePath(app.client_id))
      const signUp = /href="(\/auth\/sign_up[^"]*)"/.exec(signIn.text)?.[1]?.replaceAll('&amp;', '&') ?? 'no link'
      if (comes === 'signed up') {
        const sent = await browser.submit(await browser.visit(signUp), typed)
        await browser.submit(sent, {})
      } else {
        await register(username)
        await browser.submit(signIn, known)
      }
      await harness.runJobs()
      const done = await browser.submit(await browser.visit(linkIn(mail.letters.at(-1))), {})
      const onward = /href="(\/auth\/sign_in[^"]*)"/.exec(done.text)?.[1]?.replaceAll('&amp;', '&') ?? 'no link'
      expect((await browser.submit(await browser.visit(onward), known)).text).toContain('Let Elk in?')
    }
  })

  it('has the mail sent again for users who sign in unconfirmed, three times in half an hour', async () => {
    harness.toNewWindow()
    const joel = await register('joel')
    await harness.runJobs()
    const browser = harness.browser()
    let page = await browser.submit(await browser.visit(authorizePath(joel.app.client_id)), { email: joel.email, password: joel.password })
    expect(page.text).toContain('Look into your mail')
    const before = mail.letters.length
    for (let times = 0; times < 3; times++) page = await browser.submit(page, {})
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('once more') })
    await harness.runJobs()
    expect(mail.letters.slice(before).map(({ to }) => to)).toEqual([['joel@example.com']])
    expect((await browser.submit(page, {})).status).toBe(429)
    const forged = await browser.submit(page, { ticket: `1.${Date.now() + 1e6}.x` })
    expect(forged.status).toBe(403)
  })

  it('knows no link that is made up, or a week old', async () => {
    await register('late')
    await harness.runJobs()
    const link = linkIn(mail.letters.at(-1))
    const browser = harness.browser()
    const page = await browser.visit(link)
    harness.pass(7 * 86_400_000)
    for (const address of [link, '/auth/confirmation?token=x', '/auth/confirmation']) {
      const gone = await browser.visit(address)
      expect(gone.status).toBe(404)
      for (const words of ['no longer works', '<a href="/auth/sign_in?lang=en">']) expect(gone.text).toContain(words)
    }
    expect((await browser.submit(page, {})).status).toBe(404)
  })

  it('goes to another address when the app asks, and the old link then fails', async () => {
    const nadia = await register('nadia')
    await harness.runJobs()
    const old = linkIn(mail.letters.at(-1))
    const resend = (more: { appId?: string; email?: string } = {}) =>
      harness.registrations.resendConfirmation(call(), { accountId: nadia.id, appId: nadia.app.id, email: '', ...more })
    await expect(resend({ appId: (await harness.registerApp()).id })).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(resend({ email: 'nope' })).rejects.toMatchObject({
      kind: 'invalid',
      violations: [{ field: 'email', code: 'ERR_INVALID' }],
    })
    await expect(resend({ email: 'MARA@example.com' })).rejects.toMatchObject({ violations: [{ field: 'email', code: 'ERR_TAKEN' }] })
    await resend({ email: 'nadia@elsewhere.example' })
    await harness.runJobs()
    const letter = mail.letters.at(-1)
    expect(letter?.to).toEqual(['nadia@elsewhere.example'])
    const browser = harness.browser()
    expect((await browser.visit(old)).status).toBe(404)
    expect(await stateOf(nadia.accessToken)).toBe(LoginState.UNCONFIRMED)
    expect((await browser.submit(await browser.visit(linkIn(letter)), {})).status).toBe(200)
    await expect(resend()).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('says that registration is finished only after the mail, on the page too', async () => {
    const browser = harness.browser()
    const page = await browser.visit('/auth/sign_up?lang=fr')
    const answer = await browser.submit(page, { ...TYPED, username: 'odile', email: 'odile@example.com' })
    expect(answer.text).toContain('Regardez vos messages')
    await harness.runJobs()
    expect(letterText(mail.letters.at(-1)!)).toContain('suivez ce lien')
  })
})

describe('limits', () => {
  let harness: Harness
  let clientId: string
  beforeAll(async () => {
    harness = await openHarness({ config: { trustedProxies: ['loopback'] } })
    clientId = (await harness.registerApp()).client_id
    await harness.person('mara')
  })
  afterAll(() => harness.close())

  const signIn = async (email: string, address: string, password = 'wrong') => {
    const browser = harness.browser({ 'x-forwarded-for': address })
    return browser.submit(await browser.visit(authorizePath(clientId)), { email, password })
  }

  it('allow ten attempts a login in five minutes, from wherever', async () => {
    harness.toNewWindow()
    for (let times = 0; times < 10; times++) expect((await signIn('mara@example.com', `192.0.2.${times}`)).status).toBe(401)
    const over = await signIn('MARA@example.com', '192.0.2.99', 'mara knows')
    expect(over).toMatchObject({ status: 429, text: expect.stringContaining('too many attempts') })
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0)
    harness.pass(5 * 60_000)
    expect((await signIn('mara@example.com', '192.0.2.99', 'mara knows')).text).toContain('Let Elk in?')
  })

  it('allow 25 attempts an address in five minutes, all of an IPv6 network counting as one', async () => {
    harness.toNewWindow()
    for (let times = 0; times < 25; times++) expect((await signIn(`nobody${times}@example.com`, `2001:db8:0:1::${times}`)).status).toBe(401)
    expect((await signIn('mara@example.com', '2001:db8:0:1:ffff::1', 'mara knows')).status).toBe(429)
    expect((await signIn('mara@example.com', '2001:db8:0:2::1', 'mara knows')).status).toBe(200)
  })

  it('allow five sign-ups an address in half an hour', async () => {
    harness.toNewWindow()
    const browser = harness.browser({ 'x-forwarded-for': '198.51.100.7' })
    const page = await browser.visit('/auth/sign_up')
    for (let times = 0; times < 5; times++) expect((await browser.submit(page, {})).status).toBe(422)
    expect((await browser.submit(page, {})).status).toBe(429)
  })
})

describe('someone who is not let in', () => {
  it('reads why, and whom to ask, once the password is right', async () => {
    const harness = await openHarness()
    const mara = await harness.person('mara')
    const browser = harness.browser()
    const said = async () => {
      const page = await browser.submit(await browser.visit('/auth/sign_in'), { email: mara.email, password: mara.password })
      expect(page).toMatchObject({ status: 403, text: expect.stringContaining('Your login is currently disabled') })
      expect(page.text).not.toContain('name="password"')
      expect(page.text).toContain('href="/about?lang=en"')
      return /<p class="lead">([^<]*)</.exec(page.text)?.[1]
    }
    const name = { username: 'mara' }
    await harness.operator.setDisabled(call(), { ...name, isDisabled: true })
    expect(await said()).toContain('What you posted stays.')
    await harness.operator.setSuspended(call(), { ...name, isSuspended: true })
    expect(await said()).toContain('suspended your account')
    await harness.operator.setSuspended(call(), { ...name, isSuspended: false })
    await harness.operator.setDisabled(call(), { ...name, isDisabled: false })
    await harness.operator.setMemorial(call(), { ...name, isMemorial: true })
    expect(await said()).toContain('in memory of')
    await harness.close()
  })
})

describe('signing in', () => {
  it('says the same about an unknown address and a wrong password, and of a disabled login only to its owner', async () => {
    const harness = await openHarness()
    const { client_id } = await harness.registerApp()
    const mara = await harness.person('mara')
    const browser = harness.browser()
    const signIn = async (email: string, password: string) =>
      browser.submit(await browser.visit(authorizePath(client_id)), { email, password })
    const problemOf = ({ text }: { text: string }) => /role="alert">([^<]*)</.exec(text)?.[1]
    const wrong = problemOf(await signIn(mara.email, 'no'))
    expect(wrong).toBe('This name and this password do not belong together.')
    for (const unknown of ['nobody@example.com', 'nobody', '@nobody', '@mara@elsewhere.example', '']) {
      expect(problemOf(await signIn(unknown, 'no'))).toBe(wrong)
    }
    await harness.operator.setDisabled(call(), { username: 'mara', isDisabled: true })
    expect(problemOf(await signIn(mara.email, 'no'))).toBe(wrong)
    expect(await signIn(mara.email, mara.password)).toMatchObject({
      status: 403,
      text: expect.stringContaining('Your login is currently disabled'),
    })
    await harness.close()
  })

  it('takes the username instead of the address, with @ and this host or without, regardless of case', async () => {
    const harness = await openHarness({ config: { hasRateLimits: false } })
    const { client_id } = await harness.registerApp()
    const { password } = await harness.person('mara')
    const { host } = new URL(harness.origin)
    for (const email of ['mara', '@mara', ' Mara ', `@mara@${host}`, `mara@${host}`, 'MARA@example.com']) {
      const browser = harness.browser()
      const page = await browser.submit(await browser.visit(authorizePath(client_id)), { email, password })
      expect({ email, isIn: page.text.includes('Let Elk in?') }).toEqual({ email, isIn: true })
    }
    await harness.close()
  })

  it('takes the login of the address where another has it for a username', async () => {
    const harness = await openHarness()
    const { host } = new URL(harness.origin)
    const mara = await harness.person('mara')
    const joel = await harness.person('joel')
    await harness.write('update auth.login set email = $1 where account_id = $2', [`mara@${host}`, joel.id])
    const signIn = async (email: string, password: string) => {
      const browser = harness.browser()
      return (await browser.submit(await browser.visit('/auth/sign_in'), { email, password })).text
    }
    expect(await signIn(`mara@${host}`, joel.password)).toContain('Signed in as @joel')
    expect(await signIn(`@mara@${host}`, mara.password)).toContain('Signed in as @mara')
    await harness.close()
  })

  it('counts tries of one login by its username and its address together', async () => {
    const harness = await openHarness({ config: { trustedProxies: ['loopback'] } })
    harness.toNewWindow()
    const mara = await harness.person('mara')
    const signIn = async (email: string, times: number) => {
      const browser = harness.browser({ 'x-forwarded-for': `192.0.2.${times}` })
      return (await browser.submit(await browser.visit('/auth/sign_in'), { email, password: 'wrong' })).status
    }
    for (let times = 0; times < 10; times++) expect(await signIn(times % 2 ? '@mara' : mara.email, times)).toBe(401)
    expect(await signIn('mara', 11)).toBe(429)
    expect(await signIn(mara.email, 12)).toBe(429)
    await harness.close()
  })

  it('does not go on with the session of someone disabled since', async () => {
    const harness = await openHarness()
    const { client_id } = await harness.registerApp()
    const mara = await harness.person('mara')
    const browser = harness.browser()
    expect((await browser.submit(await browser.visit(authorizePath(client_id)), mara)).text).toContain('Let Elk in?')
    await harness.operator.setDisabled(call(), { username: 'mara', isDisabled: true })
    expect((await browser.visit(authorizePath(client_id))).text).toContain('name="password"')
    expect(harness.logged).toEqual([])
    await harness.close()
  })
})
