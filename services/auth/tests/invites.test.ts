import { type Browser, type Person, STAFF_SCOPES, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { browser } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codesOn, comesBy, enter, heading, INVITES, invites, newcomer } from './inviting.ts'

// Links by which people sign up, on a server where others wait for an approval.

const HOUR = 3_600_000

let world: World
let staff: Person
let mara: Person
let inside: Browser
let people = 0
beforeAll(async () => {
  world = await World.open({ settings: { REGISTRATIONS: 'approval', TRUSTED_PROXIES: '127.0.0.1' } })
  staff = await world.owner('staff')
  mara = await world.person('mara', { scopes: STAFF_SCOPES })
  inside = await enter(world, 'mara')
})
afterAll(() => world.close())

const newName = () => `wren${++people}`
const READY = 'Welcome!'
const BAD = 'This invitation is not valid'
const ownPage = () => inside.go(INVITES)

/** Someone new with an invitation of theirs. */
const someone = async (wanted: Record<string, string> = {}) => {
  const name = newName()
  const person = await world.person(name)
  const own = await enter(world, name)
  return { person, name, own, code: await invites(own, wanted) }
}

const usesOf = async (code: string) => (await query(world, 'select uses from auth.invite where code = $1', [code]))[0].uses
const loginOf = (name: string) => query(world, 'select account_id from auth.login where email = $1', [`${name}@example.org`])

describe('an invitation', () => {
  test('says whose it is, asks for no reason, and lets people in without an approval; its owner sees who came', async () => {
    const code = await invites(inside)
    const visitor = browser(world)
    const page = await visitor.visit(`/invite/${code}`)
    expect([page.status, heading(page)]).toEqual([200, 'Create an account'])
    expect(page.text).toContain(`@mara invites you to ${new URL(world.address).host}`)
    expect(page.text).not.toContain('name="reason"')
    const name = newName()
    const wrong = await visitor.submit(page, { ...newcomer(name), email: 'tea' })
    expect([wrong.status, wrong.text.includes('@mara invites you'), await usesOf(code)]).toEqual([422, true, 0])
    expect(heading(await visitor.submit(wrong, newcomer(name)))).toBe(READY)
    expect(await usesOf(code)).toBe(1)
    const { text } = await ownPage()
    expect(text).toContain('uses: 1')
    expect(text).toContain(`Joined: <a href="/@${name}">@${name}</a>`)
    expect((await mara.get(`/api/v1/accounts/lookup?acct=${name}`)).status).toBe(200)
  })

  test('speaks the languages of the other pages', async () => {
    const code = await invites(inside)
    expect((await browser(world).go(`/invite/${code}?lang=de`)).text).toContain('@mara lädt dich auf')
    expect((await browser(world).go(`/invite/${code}?lang=fr`)).text).toContain('@mara vous invite sur')
    expect(heading(await browser(world).go('/invite/x?lang=de'))).toBe('Diese Einladung gilt nicht')
    expect(heading(await inside.go(`${INVITES}?lang=de`))).toBe('Einladungen')
    expect((await inside.go(`${INVITES}?lang=fr`)).text).toContain('Créer un lien')
  })

  test('is good as often and as long as was chosen', async () => {
    const code = await invites(inside, { max_uses: '1', expires_in: '1800' })
    expect((await ownPage()).text).toMatch(/uses: 0 of 1/)
    world.clock.advance(HOUR / 2 - 1000)
    expect((await browser(world).go(`/invite/${code}`)).status).toBe(200)
    world.clock.advance(1000)
    expect((await browser(world).go(`/invite/${code}`)).status).toBe(404)
    const single = await invites(inside, { max_uses: '1', expires_in: '' })
    expect((await ownPage()).text).toContain('does not expire')
    expect(heading(await comesBy(world, single, newName()))).toBe(READY)
    expect((await browser(world).go(`/invite/${single}`)).status).toBe(404)
    expect((await ownPage()).text).toMatch(/no longer good · uses: 1 of 1/)
  })

  test('with one use left lets one of twenty in who come at once, and the others have no account', async () => {
    const code = await invites(inside, { max_uses: '5' })
    for (let times = 0; times < 4; times++) await comesBy(world, code, newName())
    const names = Array.from({ length: 20 }, newName)
    const ready = await Promise.all(
      names.map(async (name) => {
        const visitor = browser(world)
        return { name, visitor, page: await visitor.visit(`/invite/${code}`) }
      }),
    )
    const answers = await Promise.all(ready.map(({ name, visitor, page }) => visitor.submit(page, newcomer(name))))
    expect(answers.map(heading).toSorted()).toEqual([...Array(19).fill(BAD), READY].toSorted())
    expect(await usesOf(code)).toBe(5)
    const logins = await Promise.all(names.map(loginOf))
    expect(logins.flat()).toHaveLength(1)
    const seen = await Promise.all(names.map((name) => mara.get(`/api/v1/accounts/lookup?acct=${name}`)))
    expect(seen.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await query(world, 'select 1 from auth.sign_up_attempt')).toEqual([])
    // What was undone is free for others.
    const refused = names.find((_name, index) => logins[index]?.length === 0)!
    expect(heading(await comesBy(world, await invites(inside), refused))).toBe(READY)
  })

  test('is not used by a sign-up that fails', async () => {
    const code = await invites(inside, { max_uses: '1' })
    for (const more of [
      { username: 'mara' },
      { email: 'mara@example.org' },
      { password: 'short' },
      { agreement: '' },
      { username: 'admin' },
    ]) {
      expect({ more, status: (await comesBy(world, code, newName(), more)).status }).toEqual({ more, status: 422 })
    }
    expect(await usesOf(code)).toBe(0)
    expect(heading(await comesBy(world, code, newName()))).toBe(READY)
  })

  test('is used once by a form that is sent twice', async () => {
    const code = await invites(inside)
    const visitor = browser(world)
    const page = await visitor.visit(`/invite/${code}`)
    const name = newName()
    await Promise.all([visitor.submit(page, newcomer(name)), visitor.submit(page, newcomer(name))])
    expect([await usesOf(code), (await loginOf(name)).length]).toEqual([1, 1])
  })

  test('needs a form of ours', async () => {
    const code = await invites(inside)
    const sent = await browser(world).go(`/invite/${code}`, { method: 'POST', body: new URLSearchParams(newcomer(newName())) })
    expect(sent.status).toBe(403)
    for (const path of [INVITES, `${INVITES}/end`]) {
      expect((await inside.go(path, { method: 'POST', body: new URLSearchParams({ max_uses: '1' }) })).status).toBe(403)
    }
  })
})

describe('an invitation that is no good', () => {
  const answersOf = async (code: string) => {
    const page = await browser(world).go(`/invite/${code}`)
    const api = await world.get(`/api/v1/invites/${code}`)
    return { page: [page.status, page.text], api: [api.status, api.body] }
  }

  test('answers the same whether it is over, was ended, is of someone who is gone or kept out, or never was', async () => {
    const expired = await invites(inside, { expires_in: '1800' })
    world.clock.advance(HOUR)
    const ended = await invites(inside)
    await inside.submit(await ownPage(), {}, INVITES.concat('/end'))
    const used = await invites(inside, { max_uses: '1' })
    await comesBy(world, used, newName())
    const [suspended, disabled, deleted] = [await someone(), await someone(), await someone()]
    await world.operator().setSuspended(innerCall(), { username: suspended.name, isSuspended: true })
    await world.operator().setDisabled(innerCall(), { username: disabled.name, isDisabled: true })
    await world.operator().deleteAccount(innerCall(), { username: deleted.name })
    await world.idle()
    const never = await answersOf('a'.repeat(16))
    expect(never.page[0]).toBe(404)
    expect(never.api).toEqual([401, { error: 'This invite is not valid' }])
    expect(never.page[1]).toContain(BAD)
    for (const code of [
      expired,
      ended,
      used,
      suspended.code,
      disabled.code,
      deleted.code,
      'x',
      '0',
      'a'.repeat(500),
      'tea-time',
      '%C3%A4',
      "'",
    ]) {
      expect({ code, ...(await answersOf(code)) }).toEqual({ code, ...never })
    }
    await world.operator().setSuspended(innerCall(), { username: suspended.name, isSuspended: false })
    expect((await answersOf(suspended.code)).api[0]).toBe(200)
  })

  test('lets people in or refuses them while its owner is deleted, and nothing of it stays', async () => {
    const { name: inviter, code, person } = await someone({ autofollow: 'true' })
    const ready = await Promise.all(
      Array.from({ length: 12 }, newName).map(async (name) => {
        const visitor = browser(world)
        return { name, visitor, page: await visitor.visit(`/invite/${code}`) }
      }),
    )
    const coming = ready.map(({ name, visitor, page }) => visitor.submit(page, newcomer(name)))
    const [answers] = await Promise.all([Promise.all(coming), world.operator().deleteAccount(innerCall(), { username: inviter })])
    for (const answer of answers) expect([READY, BAD]).toContain(heading(answer))
    await world.advance(0)
    expect(await query(world, 'select 1 from auth.invitee where inviter_id = $1', [person.id])).toEqual([])
    expect(await query(world, 'select 1 from auth.sign_up_attempt')).toEqual([])
  })

  test('refuses a form that was filled in while it was good', async () => {
    const { name, code } = await someone()
    const visitor = browser(world)
    const page = await visitor.visit(`/invite/${code}`)
    await world.operator().setDisabled(innerCall(), { username: name, isDisabled: true })
    const refused = await visitor.submit(page, newcomer(newName()))
    expect([refused.status, heading(refused)]).toEqual([404, BAD])
  })
})

describe('the network someone comes from', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const signsUpFrom = async (code: string, address: string) => {
    const visitor = browser(world)
    const page = await visitor.go(`/invite/${code}`, { headers: from(address) })
    const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const body = new URLSearchParams({ form_token, ...newcomer(newName()) })
    return visitor.go(`/invite/${code}`, { method: 'POST', body, headers: from(address) })
  }

  test('still needs an approval where staff want one, and keeps people out where they said so', async () => {
    const code = await invites(inside)
    await staff.post('/api/v1/admin/ip_blocks', { ip: '192.0.2.0/24', severity: 'sign_up_requires_approval' })
    await staff.post('/api/v1/admin/ip_blocks', { ip: '198.51.100.0/24', severity: 'sign_up_block' })
    expect(heading(await signsUpFrom(code, '192.0.2.7'))).toBe('Waiting for approval')
    expect((await signsUpFrom(code, '198.51.100.7')).status).toBe(403)
    expect((await world.asks('GET', `/api/v1/invites/${code}`, { headers: from('198.51.100.7') })).status).toBe(403)
    expect(await usesOf(code)).toBe(1)
  })
})

describe('the API', () => {
  test('says that an invitation is good, in upstream’s words', async () => {
    const code = await invites(inside)
    expect((await world.get(`/api/v1/invites/${code}`)).body).toEqual({
      instance_api_url: `${world.address}/api/v2/instance`,
      invite_code: code,
    })
  })

  test('signs people up by one, with a token that works at once, and by none that is no good', async () => {
    const code = await invites(inside, { max_uses: '1' })
    const app = await world.appToken('read write')
    const signsUp = (invite_code: string) => {
      const name = newName()
      const body = {
        username: name,
        email: `${name}@example.org`,
        password: `${name}-password`,
        agreement: true,
        locale: 'en',
        invite_code,
      }
      return world.asks('POST', '/api/v1/accounts', { token: app, body })
    }
    expect((await signsUp('')).body.details.reason[0].error).toBe('ERR_BLANK')
    const signedUp = await signsUp(code)
    const own = await world.asks('GET', '/api/v1/accounts/verify_credentials', { token: signedUp.body.access_token })
    expect(own.status).toBe(200)
    for (const bad of [code, 'tea', 'a-b', "'"]) {
      const refused = await signsUp(bad)
      expect([refused.status, refused.body]).toEqual([403, { error: 'This invite is not valid' }])
    }
  })

  test('says with the role of everyone that they may invite people', async () => {
    expect(Number((await mara.get('/api/v1/accounts/verify_credentials')).body.role.permissions)).toBe(0x10000)
    expect((await world.get('/api/v1/instance')).body.invites_enabled).toBe(true)
  })
})

describe('someone who invites people', () => {
  test('is offered what can be chosen, and nothing else is taken', async () => {
    const { text } = await ownPage()
    const offered = (name: string) =>
      [.../<select id="NAME"[\s\S]*?<\/select>/.exec(text.replaceAll(name, 'NAME'))![0].matchAll(/<option value="(\d*)"/g)].map(
        ([, value]) => value,
      )
    expect(offered('max_uses')).toEqual(['', '1', '5', '10', '25', '50', '100'])
    expect(offered('expires_in')).toEqual(['1800', '3600', '21600', '43200', '86400', '604800', ''])
    expect(text).toContain('<option value="86400" selected>')
    for (const wanted of [{ max_uses: '2' }, { expires_in: '1' }, { max_uses: '-1' }, { expires_in: '9'.repeat(40) }]) {
      expect((await inside.submit(await ownPage(), wanted)).status).toBe(400)
    }
  })

  test('ends their own, and no one else’s', async () => {
    const other = await someone()
    const [{ id }] = await query(world, 'select id from auth.invite where code = $1', [other.code])
    await invites(inside)
    await inside.submit(await ownPage(), { invite: id }, INVITES.concat('/end'))
    expect((await browser(world).go(`/invite/${other.code}`)).status).toBe(200)
    await other.own.submit(await other.own.go(INVITES), {}, INVITES.concat('/end'))
    expect((await browser(world).go(`/invite/${other.code}`)).status).toBe(404)
    expect((await other.own.go(INVITES)).text).toContain('no longer good')
  })

  test('has a hundred good ones at most', async () => {
    const { own, person } = await someone()
    const more = `insert into auth.invite (id, code, account_id, autofollow, created_at)
      select $1::bigint + n, $1 || 'n' || n, $1, false, now() from generate_series(1, $2::int) n`
    await query(world, more, [person.id, 98])
    await invites(own)
    const refused = await own.submit(await own.go(INVITES), { max_uses: '' })
    expect([refused.status, refused.text.includes('You have 100 good links already')]).toEqual([422, true])
    await own.submit(refused, {}, INVITES.concat('/end'))
    expect(codesOn(await own.submit(await own.go(INVITES), { max_uses: '' }))).toHaveLength(100)
  })

  test('is sent to sign in first', async () => {
    expect((await browser(world).go(INVITES)).location).toContain('/auth/sign_in')
  })
})
