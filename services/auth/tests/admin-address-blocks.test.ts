import { createHash } from 'node:crypto'
import { type Answer, type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { faultsIn, id, listOf, matching, moment, object, oneOf } from '@rookery/test-world/shape'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Addresses of mail and of the network that staff keep from signing up, or out (beyond-the-spec 2.6).

const EMAIL_DOMAINS = '/api/v1/admin/email_domain_blocks'
const IPS = '/api/v1/admin/ip_blocks'
const MAILBOXES = '/api/v1/admin/canonical_email_blocks'

let world: World
let staff: Person
let appToken: string
beforeAll(async () => {
  world = await World.open({ settings: { TRUSTED_PROXIES: '127.0.0.1', REGISTRATIONS: 'open', CONFIRMATION: 'automatic' } })
  staff = await world.owner('staff')
  appToken = await world.appToken('read write')
})
afterAll(() => world.close())
beforeEach(() => query(world, 'truncate auth.email_domain_block, auth.email_domain_block_use, auth.ip_block, auth.canonical_email_block'))

const gist = ({ status, body }: Answer) => [status, body]
const fault = ({ status, body }: Answer) => [status, body.error]
let count = 0
const signsUp = ({ email = `m${++count}@example.org`, from = '198.51.100.7' } = {}) => {
  const person = { username: `newcomer_${++count}`, email, password: 'a password', agreement: true, locale: 'en' }
  return world.asks('POST', '/api/v1/accounts', { token: appToken, headers: { 'x-forwarded-for': from }, body: person })
}
const BLOCKED = { email: [{ error: 'ERR_BLOCKED', description: 'contains a disallowed e-mail provider' }] }

describe('a blocked e-mail domain', () => {
  const digits = matching('digits', /^\d+$/)
  const emailDomainBlock = object({
    id,
    domain: oneOf('spam.example'),
    created_at: moment,
    history: listOf(object({ day: digits, accounts: digits, uses: digits })),
  })

  test('keeps its addresses and those of subdomains from signing up, and counts them', async () => {
    const { body: block } = await staff.post(EMAIL_DOMAINS, { domain: 'Spam.example' })
    expect(faultsIn(block, emailDomainBlock)).toEqual([])
    for (const [email, from] of [
      ['a@spam.example', '198.51.100.1'],
      ['b@sub.SPAM.example', '198.51.100.1'],
      ['c@spam.example', '198.51.100.2'],
    ]) {
      const { status, body } = await signsUp({ email: email!, from: from! })
      expect({ email, status, details: body.details }).toEqual({ email, status: 422, details: BLOCKED })
    }
    expect((await signsUp({ email: 'a@notspam.example' })).status).toBe(200)
    const { body: counted } = await staff.get(`${EMAIL_DOMAINS}/${block.id}`)
    const today = String(Math.floor(world.clock.now() / 86_400_000) * 86_400)
    expect(counted.history).toHaveLength(7)
    expect(counted.history[0]).toEqual({ day: today, accounts: '2', uses: '3' })
    expect(counted.history[1]).toMatchObject({ accounts: '0', uses: '0' })
    expect((await staff.get(EMAIL_DOMAINS)).body).toEqual([counted])
  })

  test('lets them sign up again once it is deleted', async () => {
    const { body: block } = await staff.post(EMAIL_DOMAINS, { domain: 'spam.example' })
    expect(gist(await staff.asks('DELETE', `${EMAIL_DOMAINS}/${block.id}`))).toEqual([200, {}])
    expect(fault(await staff.asks('DELETE', `${EMAIL_DOMAINS}/${block.id}`))).toEqual([404, 'Record not found'])
    expect((await signsUp({ email: `again${++count}@spam.example` })).status).toBe(200)
  })

  test.each([
    [{}, "Domain can't be blank"],
    [{ domain: 'tea' }, 'Domain is not a valid domain name'],
  ])('is refused for %j', async (body, said) =>
    expect(fault(await staff.post(EMAIL_DOMAINS, body))).toEqual([422, `Validation failed: ${said}`]),
  )

  test('is there once, however many ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => staff.post(EMAIL_DOMAINS, { domain: 'spam.example' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)])
    expect(answers.find(({ status }) => status === 422)?.body.error).toBe('Validation failed: Domain has already been taken')
  })
})

describe('a blocked network', () => {
  const blocks = async (severity: string, more: object = {}) => {
    const answer = await staff.post(IPS, { ip: '203.0.113.77/24', severity, ...more })
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }

  test('has every key, and is the network that was meant', async () => {
    const block = await blocks('sign_up_block', { comment: 'spam', expires_in: 3600 })
    expect(block).toEqual({
      id: expect.stringMatching(/^\d+$/),
      ip: '203.0.113.0/24',
      severity: 'sign_up_block',
      comment: 'spam',
      created_at: expect.stringMatching(/Z$/),
      expires_at: new Date(Date.parse(block.created_at) + 3_600_000).toISOString(),
    })
    expect(gist(await staff.get(`${IPS}/${block.id}`))).toEqual([200, block])
    expect(gist(await staff.get(IPS))).toEqual([200, [block]])
  })

  test('signs no one up, until it ends', async () => {
    await blocks('sign_up_block', { expires_in: 60 })
    expect(fault(await signsUp({ from: '203.0.113.9' }))).toEqual([403, 'This action is not allowed'])
    expect((await signsUp({ from: '203.0.114.9' })).status).toBe(200)
    await world.clock.advance(61_000)
    expect((await signsUp({ from: '203.0.113.9' })).status).toBe(200)
  })

  test('has sign-ups wait for approval', async () => {
    await blocks('sign_up_requires_approval')
    const { body } = await signsUp({ from: '203.0.113.9' })
    const { status, body: told } = await world.asks('GET', '/api/v1/accounts/verify_credentials', { token: body.access_token })
    expect([status, told.error]).toEqual([403, 'Your login is currently pending approval'])
  })

  test('without access is refused everywhere, others are not, and it ends with the block', async () => {
    const from = (address: string, path: string) => world.asks('GET', path, { headers: { 'x-forwarded-for': address } })
    const block = await blocks('no_access')
    const PATHS = [
      '/api/v2/instance',
      '/',
      '/api/v1/streaming/health',
      '/oauth/authorize',
      '/auth/sign_up',
      '/.well-known/oauth-authorization-server',
      '/media/none',
      '/users/none',
    ]
    await world.advance(31_000)
    for (const path of PATHS) {
      await expect.poll(async () => ({ path, status: (await from('203.0.113.9', path)).status })).toEqual({ path, status: 403 })
      expect((await from('203.0.114.9', path)).status).not.toBe(403)
    }
    expect(fault(await from('::ffff:203.0.113.9', '/api/v2/instance'))).toEqual([403, 'This action is not allowed'])
    await staff.asks('DELETE', `${IPS}/${block.id}`)
    await world.advance(31_000)
    for (const path of PATHS) await expect.poll(async () => (await from('203.0.113.9', path)).status).not.toBe(403)
  })

  test('without access gets files again once its time is over', async () => {
    const asked = async () => (await world.asks('GET', '/media/none', { headers: { 'x-forwarded-for': '203.0.113.9' } })).status
    await blocks('no_access', { expires_in: 600 })
    await world.advance(31_000)
    await expect.poll(asked).toBe(403)
    await query(world, "select auth_jobs.add_job('publish-barred-networks')")
    await world.advance(600_000)
    await expect.poll(asked).toBe(404)
  })

  test('is never the caller’s own where nothing there has access: no one would be left to end it', async () => {
    const own = [422, 'Validation failed: Ip contains your own address']
    const wanted = { ip: '127.0.0.0/8', severity: 'no_access' }
    expect(fault(await staff.post(IPS, wanted))).toEqual(own)
    expect(fault(await staff.post(IPS, { ...wanted, ip: '::ffff:127.0.0.1' }))).toEqual(own)
    const { body: milder } = await staff.post(IPS, { ...wanted, severity: 'sign_up_block' })
    expect(fault(await staff.asks('PUT', `${IPS}/${milder.id}`, { body: { severity: 'no_access' } }))).toEqual(own)
    const { body: elsewhere } = await staff.post(IPS, { ...wanted, ip: '192.0.2.0/24' })
    expect(fault(await staff.asks('PUT', `${IPS}/${elsewhere.id}`, { body: { ip: '127.0.0.1' } }))).toEqual(own)
    expect((await staff.get(`${IPS}/${milder.id}`)).body).toEqual(milder)
  })

  test('is changed in what is said only, and for ever where an empty time is said', async () => {
    const block = await blocks('sign_up_block', { comment: 'spam', expires_in: 60 })
    const changes = async (body: object) => (await staff.asks('PUT', `${IPS}/${block.id}`, { body })).body
    expect(await changes({ severity: 'no_access' })).toEqual({ ...block, severity: 'no_access' })
    expect(await changes({ expires_in: '' })).toMatchObject({ comment: 'spam', expires_at: null })
    expect(await changes({ ip: '2001:db8::5/32' })).toMatchObject({ ip: '2001:db8::/32' })
    expect(await changes({})).toMatchObject({ ip: '2001:db8::/32' })
  })

  test.each([
    [{ severity: 'no_access' }, 'Ip is invalid'],
    [{ ip: 'tea', severity: 'tea' }, 'Ip is invalid, Severity is not included in the list'],
    [{ ip: '192.0.2.1' }, 'Severity is not included in the list'],
    [{ ip: '0.0.0.0/0', severity: 'no_access' }, 'Ip is invalid'],
    [{ ip: '192.0.2.1', severity: 'no_access', expires_in: 'tea' }, 'Expires in is not a number'],
  ])('is refused for %j', async (body, said) => expect(fault(await staff.post(IPS, body))).toEqual([422, `Validation failed: ${said}`]))

  test('is there once', async () => {
    await blocks('no_access')
    const other = (await staff.post(IPS, { ip: '192.0.2.1', severity: 'no_access' })).body
    const taken = [422, 'Validation failed: Ip has already been taken']
    expect(fault(await staff.post(IPS, { ip: '203.0.113.0/24', severity: 'sign_up_block' }))).toEqual(taken)
    expect(fault(await staff.asks('PUT', `${IPS}/${other.id}`, { body: { ip: '203.0.113.0/24' } }))).toEqual(taken)
  })
})

describe('a blocked mailbox', () => {
  const hash = createHash('sha256').update('marah@example.org').digest('hex')

  test('signs no one up, however its address is written', async () => {
    const { body: block } = await staff.post(MAILBOXES, { email: 'Mara.H+tea@example.org' })
    expect(block).toEqual({ id: expect.stringMatching(/^\d+$/), canonical_email_hash: hash })
    for (const email of ['marah@example.org', 'm.a.r.a.h+x@EXAMPLE.org'])
      expect((await signsUp({ email })).body).toMatchObject({ details: BLOCKED })
    expect((await signsUp({ email: 'sarah@example.org' })).status).toBe(200)
    expect(gist(await staff.post(`${MAILBOXES}/test`, { email: 'marah+y@example.org' }))).toEqual([200, [block]])
    expect(gist(await staff.post(`${MAILBOXES}/test`, { email: 'other@example.org' }))).toEqual([200, []])
    expect(gist(await staff.get(MAILBOXES))).toEqual([200, [block]])
    expect(gist(await staff.asks('DELETE', `${MAILBOXES}/${block.id}`))).toEqual([200, {}])
    expect(fault(await staff.get(`${MAILBOXES}/${block.id}`))).toEqual([404, 'Record not found'])
  })

  test('is blocked once: another block of it is refused, and staff are not said to have made one', async () => {
    const { body: block } = await staff.post(MAILBOXES, { email: 'marah@example.org' })
    const taken = [422, 'Validation failed: Canonical email hash has already been taken']
    const acts = async () => (await query(world, "select 1 from auth.staff_act where action = 'create_canonical_email_block'")).length
    const before = await acts()
    expect(fault(await staff.post(MAILBOXES, { canonical_email_hash: hash }))).toEqual(taken)
    expect(fault(await staff.post(MAILBOXES, { email: 'm.arah+tea@example.org' }))).toEqual(taken)
    expect(gist(await staff.get(MAILBOXES))).toEqual([200, [block]])
    expect(await acts()).toBe(before)
  })

  test.each([
    ['', {}, 422, "Validation failed: Canonical email hash can't be blank"],
    ['', { canonical_email_hash: 'tea' }, 422, 'Validation failed: Canonical email hash is invalid'],
    ['/test', {}, 400, 'param is missing or the value is empty: email'],
  ])('%s is refused for %j', async (path, body, status, said) =>
    expect(fault(await staff.post(MAILBOXES + path, body))).toEqual([status, said]),
  )
})
