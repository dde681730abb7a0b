import { callWithin } from '@rookery/rpc/call-within'
import { type Letter, letterText, startMailServer, World } from '@rookery/test-world'
import { browser } from '@rookery/test-world/page-browser'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// From a sign-up to its end, as a client and a browser see it (beyond-the-spec 2.1).

let world: World
let mail: Awaited<ReturnType<typeof startMailServer>>
let appToken: string

beforeAll(async () => {
  mail = await startMailServer()
  world = await World.open({
    settings: { CONFIRMATION: 'mail', SMTP_URL: mail.url.reveal(), RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' },
  })
  appToken = await world.appToken('read write')
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

const HALF_HOUR = 1_800_000
/** Every test has windows of the limits to itself, and time enough in them. */
beforeEach(() => world.clock.advance(HALF_HOUR - (world.clock.now() % HALF_HOUR)))

let callers = 0
/** Signs someone up from an address of their own; the token is for an address that is not confirmed. */
const signUp = async (username: string): Promise<string> => {
  const body = {
    username,
    email: `${username}@example.org`,
    password: `${username}-password`,
    agreement: true,
    locale: 'en',
    reason: 'tea',
  }
  const headers = { 'x-forwarded-for': `192.0.2.${++callers}` }
  const { body: issued } = await world.asks('POST', '/api/v1/accounts', { token: appToken, body, headers })
  return issued.access_token
}

/** The letters that have been sent since they were last looked at. */
const newLetters = async (): Promise<Letter[]> => {
  await world.advance(0)
  return mail.letters.splice(0)
}

/** The link to a page of ours in a letter. */
const linkIn = (letter: Letter | undefined, path: string) =>
  new RegExp(`https?:\\S+${path}\\?token=[\\w-]{43}`).exec(letter ? letterText(letter) : '')?.[0] ?? 'no link'

/** Follows the link in a letter and presses the button there. */
const followLink = async (letter: Letter | undefined, path = '/auth/confirmation') => {
  const visitor = browser(world)
  return visitor.submit(await visitor.visit(linkIn(letter, path)), {})
}

const whoAmI = (token: string) => world.asks('GET', '/api/v1/accounts/verify_credentials', { token })

const resend = (token: string, body: object = {}) => world.asks('POST', '/api/v1/emails/confirmations', { token, body })
const check = async (token: string) => (await world.asks('GET', '/api/v1/emails/check_confirmation', { token })).text

describe('the confirmation mail', () => {
  test('comes again when the app asks, and the app sees when its link was followed', async () => {
    const token = await signUp('mara')
    expect((await newLetters()).map(({ to }) => to)).toEqual([['mara@example.org']])
    expect(await check(token)).toBe('false')

    expect(await resend(token)).toMatchObject({ status: 200, body: {} })
    const [letter] = await newLetters()
    expect(letter?.to).toEqual(['mara@example.org'])
    expect(await check(token)).toBe('false')

    await followLink(letter)
    expect(await check(token)).toBe('true')
    expect(await resend(token)).toMatchObject({
      status: 403,
      body: { error: 'This method is only available while the e-mail is awaiting confirmation' },
    })
    expect(await newLetters()).toEqual([])
  })

  test('goes to another address when one is given, unless it cannot be anyone’s or is someone else’s', async () => {
    const token = await signUp('joel')
    await newLetters()
    expect(await resend(token, { email: 'joel@elsewhere.example' })).toMatchObject({ status: 200, body: {} })
    expect((await newLetters()).map(({ to }) => to)).toEqual([['joel@elsewhere.example']])

    const bad = await resend(token, { email: 'nowhere' })
    expect(bad).toMatchObject({ status: 422, body: { error: 'Validation failed: E-mail address is invalid' } })
    const taken = await resend(token, { email: 'MARA@example.org' })
    expect(taken).toMatchObject({ status: 422, body: { error: 'Validation failed: E-mail address has already been taken' } })
    expect(taken.body.details).toEqual({ email: [{ error: 'ERR_TAKEN', description: 'has already been taken' }] })
    expect(await newLetters()).toEqual([])
  })

  test('to another address leaves no good link with the one before', async () => {
    const token = await signUp('joelle')
    const [confirmation] = await newLetters()
    const visitor = browser(world)
    await visitor.submit(await visitor.visit('/auth/password/new'), { email: 'joelle' })
    const [reset] = await newLetters()
    const path = '/auth/password/reset'
    expect((await visitor.visit(linkIn(reset, path))).status).toBe(200)
    await resend(token, { email: 'joelle@elsewhere.example' })
    expect((await visitor.visit(linkIn(confirmation, '/auth/confirmation'))).status).toBe(404)
    expect((await visitor.visit(linkIn(reset, path))).status).toBe(404)
    expect((await visitor.visit(linkIn((await newLetters())[0], '/auth/confirmation'))).status).toBe(200)
  })

  test('is asked for by the app of the sign-up alone', async () => {
    const token = await signUp('nadia')
    const other = await world.person('odile')
    await newLetters()
    expect(await resend(other.token)).toMatchObject({
      status: 403,
      body: { error: 'This method is only available to the application the user originally signed-up with' },
    })
    expect(await check(token)).toBe('false')
    expect(await check(other.token)).toBe('true')
  })

  test('comes three times in half an hour, however it is asked for', async () => {
    const token = await signUp('pavel')
    for (let times = 0; times < 3; times++) expect((await resend(token)).status).toBe(200)
    expect(await resend(token)).toMatchObject({ status: 429, body: { error: 'Too many requests' } })
    world.clock.advance(HALF_HOUR)
    expect((await resend(token)).status).toBe(200)
  })

  test('that was asked for too often with an Idempotency-Key comes once it may: the key keeps no such refusal', async () => {
    const token = await signUp('petra')
    for (let times = 0; times < 3; times++) expect((await resend(token)).status).toBe(200)
    const repeats = () => world.asks('POST', '/api/v1/emails/confirmations', { token, body: {}, headers: { 'idempotency-key': 'patient' } })
    expect((await repeats()).status).toBe(429)
    expect((await repeats()).status).toBe(429)
    await newLetters()
    world.clock.advance(HALF_HOUR)
    expect([(await repeats()).status, (await repeats()).status]).toEqual([200, 200])
    expect(await newLetters()).toHaveLength(1)
  })
})

describe('a forgotten password', () => {
  test('set again ends the tokens and streams of the old one', async () => {
    const zoe = await world.person('zoe')
    const stream = await zoe.listens('user')
    const visitor = browser(world)
    await visitor.submit(await visitor.visit('/auth/password/new'), { email: 'zoe@example.org' })
    const letter = (await newLetters()).findLast(({ to }) => to.includes('zoe@example.org'))
    expect((await whoAmI(zoe.token)).status).toBe(200)

    const form = await visitor.visit(linkIn(letter, '/auth/password/reset'))
    await visitor.submit(form, { password: 'zoe has another' })
    expect(await whoAmI(zoe.token)).toMatchObject({ status: 401, body: { error: 'The access token was revoked' } })
    await stream.closed
    await expect(zoe.listens('user')).rejects.toThrow('refused with 401')
  })
})

describe('a role', () => {
  test('is shown by the profile, and to its owner, as soon as statuses has heard of it', async () => {
    const call = callWithin(30, 'test')
    const [tara, uma] = [await world.person('tara', { role: 'owner' }), await world.person('uma')]
    await world.advance(0)
    const rolesOf = async ({ id }: { id: string }) => (await world.get(`/api/v1/accounts/${id}`)).body.roles
    expect(await rolesOf(tara)).toEqual([{ id: '3', name: 'Owner', color: '' }])
    expect(await rolesOf(uma)).toEqual([])
    const said = await uma.says('tea')
    expect(said.account.roles).toEqual([])

    await world.operator().setRole(call, { username: 'uma', role: 'moderator' })
    expect((await whoAmI(uma.token)).body.role).toMatchObject({ name: 'Moderator', highlighted: true })
    await world.advance(0)
    expect(await rolesOf(uma)).toEqual([{ id: '1', name: 'Moderator', color: '' }])
    expect((await whoAmI(uma.token)).body.roles).toEqual([{ id: '1', name: 'Moderator', color: '' }])
    expect((await world.get(`/api/v1/statuses/${said.id}`)).body.account.roles).toEqual([{ id: '1', name: 'Moderator', color: '' }])
    await world.operator().setRole(call, { username: 'uma', role: 'user' })
    await world.advance(0)
    expect(await rolesOf(uma)).toEqual([])
  })
})
