import { type Answer, type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { letterText, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

// What staff do to accounts, and what follows (beyond-the-spec 1.15, 2.6).

const PATH = '/api/v1/admin/accounts'
const NOT_ALLOWED = [403, 'This action is not allowed']

/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

let world: World
let mail: Awaited<ReturnType<typeof startMailServer>>
let owner: Person
let admin: Person
let moderator: Person
let people = 0

beforeAll(async () => {
  mail = await startMailServer()
  const settings = { REGISTRATIONS: 'approval', CONFIRMATION: 'automatic', SMTP_URL: mail.url.reveal() }
  world = await World.open({ settings })
  owner = await world.owner('owner')
  admin = await world.person('admin', { role: 'admin', scopes: 'read write admin:read admin:write' })
  moderator = await world.person('moderator', { role: 'moderator', scopes: 'read write admin:read admin:write' })
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

const someone = () => world.person(`someone_${++people}`)
const fault = ({ status, body }: Answer) => [status, body.error]
const done = ({ status, body }: Answer): Json => {
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}
const does = (by: Person, act: string, id: string) => by.post(`${PATH}/${id}/${act}`)
const acts = (by: Person, id: string, body: object) => by.post(`${PATH}/${id}/action`, body)
const read = async (id: string): Promise<Json> => done(await moderator.get(`${PATH}/${id}`))
const lettersTo = async (username: string) => {
  await world.advance(0)
  return mail.letters.filter(({ to }) => to[0] === `${username}@example.org`).map(letterText)
}

const signsUp = async (username: string) => {
  const token = await world.appToken('read write')
  const body = { username, email: `${username}@example.org`, password: 'a password', agreement: true, locale: 'en', reason: 'tea' }
  const own = done(await world.asks('POST', '/api/v1/accounts', { token, body })).access_token
  const [{ id }] = (await owner.get(`/api/v2/admin/accounts?username=${username}`)).body
  return { id, reads: () => world.asks('GET', '/api/v1/accounts/verify_credentials', { token: own }) }
}

describe('a sign-up that waits', () => {
  test('is approved, once, with a mail; the person is in', async () => {
    const { id, reads } = await signsUp('newcomer')
    expect(fault(await reads())).toEqual([403, 'Your login is currently pending approval'])
    expect(done(await does(moderator, 'approve', id))).toMatchObject({ id, approved: true })
    expect(fault(await does(moderator, 'approve', id))).toEqual(NOT_ALLOWED)
    expect((await reads()).status).toBe(200)
    expect(await lettersTo('newcomer')).toEqual([expect.stringContaining('let you in')])
    expect(fault(await does(moderator, 'reject', id))).toEqual(NOT_ALLOWED)
    const { acts: logged } = await world.operator().listActs(innerCall(), { page: { limit: 40 } })
    expect(logged.filter(({ accountId }) => accountId === id).map(({ action }) => action)).toEqual(['approve'])
  })

  test('is rejected: the answer is what it was, and nothing of it stays', async () => {
    const { id, reads } = await signsUp('spammer')
    expect(done(await does(moderator, 'reject', id))).toMatchObject({ id, username: 'spammer', approved: false })
    expect((await reads()).status).toBe(401)
    expect((await moderator.get(`${PATH}/${id}`)).status).toBe(404)
    expect((await does(moderator, 'reject', id)).status).toBe(404)
    expect(await lettersTo('spammer')).toEqual([expect.stringContaining('not to let you in')])
  })
})

describe('an action', () => {
  test.each<[string, object, string | undefined, object]>([
    ['none', {}, undefined, {}],
    ['sensitive', { sensitized: true }, 'unsensitive', { sensitized: false }],
    ['disable', { disabled: true }, 'enable', { disabled: false }],
    ['silence', { silenced: true }, 'unsilence', { silenced: false }],
    ['suspend', { suspended: true }, 'unsuspend', { suspended: false }],
  ])('of type %s leads to %j, also again, and is taken back by %s', async (type, changed, undo, restored) => {
    const { id } = await someone()
    const before = await read(id)
    for (const _again of [1, 2]) expect(done(await acts(moderator, id, { type }))).toEqual({})
    expect(await read(id)).toMatchObject({ ...before, ...changed, account: expect.anything() })
    if (!undo) return
    for (const _again of [1, 2]) expect(done(await does(moderator, undo, id))).toMatchObject({ id, ...restored })
    const { account: _account, ...rest } = before
    expect(await read(id)).toMatchObject(rest)
  })

  test('says what it is to the person by mail, with the text, unless no mail is wanted', async () => {
    const { id, username } = await someone()
    await acts(moderator, id, { type: 'silence', text: 'Too loud for a tea room.' })
    await acts(moderator, id, { type: 'none', text: 'Be kind.', send_email_notification: false })
    const letters = await lettersTo(username)
    expect(letters).toEqual([expect.stringContaining('Too loud for a tea room.')])
    expect(letters[0]).toContain('limited')
  })

  test('that warns resolves the report that it answers, and no other', async () => {
    const [one, other] = [await someone(), await someone()]
    const files = async (target: Person) => done(await moderator.post('/api/v1/reports', { account_id: target.id })).id
    const [about, second, elsewhere] = [await files(one), await files(one), await files(other)]
    const said = { type: 'none', text: 'Be kind.' }
    expect(fault(await acts(owner, one.id, { ...said, report_id: elsewhere }))).toEqual([
      422,
      'Validation failed: Report is not about this account',
    ])
    expect(fault(await acts(owner, one.id, { ...said, report_id: '1234567' }))).toEqual([404, 'Record not found'])
    done(await acts(owner, one.id, { ...said, report_id: about }))
    const report = async (id: string) => done(await owner.get(`/api/v1/admin/reports/${id}`))
    expect(await report(about)).toMatchObject({ action_taken: true, action_taken_by_account: { id: owner.id } })
    for (const open of [second, elsewhere]) expect(await report(open)).toMatchObject({ action_taken: false })
  })

  test.each([['sensitive'], ['disable'], ['silence'], ['suspend']])(
    'of type %s resolves all open reports about the account, with or without naming one, and none about others',
    async (type) => {
      const [one, other] = [await someone(), await someone()]
      const files = async (target: Person) => done(await moderator.post('/api/v1/reports', { account_id: target.id })).id
      const about = [await files(one), await files(one), await files(one)]
      const elsewhere = await files(other)
      done(await acts(owner, one.id, type === 'silence' ? { type, report_id: about[1] } : { type }))
      const report = async (id: string) => done(await owner.get(`/api/v1/admin/reports/${id}`))
      for (const id of about) expect(await report(id)).toMatchObject({ action_taken: true, action_taken_by_account: { id: owner.id } })
      expect(await report(elsewhere)).toMatchObject({ action_taken: false })
    },
  )

  test.each([
    [{}, 'Type is not included in the list'],
    [{ type: 'approve' }, 'Type is not included in the list'],
    [{ type: 'constructor' }, 'Type is not included in the list'],
    [{ type: 'none', text: 'x'.repeat(2049) }, 'Text is too long (maximum is 2048 characters)'],
    [{ type: 'none', report_id: 'x' }, 'report_id is not a valid id'],
  ])('is refused for %j', async (body, said) => {
    const { id } = await someone()
    expect(fault(await acts(moderator, id, body))).toEqual([422, `Validation failed: ${said}`])
  })
})

test('a disabled login is refused by the API and its streams are closed; enabled, it is as before', async () => {
  const person = await someone()
  const listening = await person.listens('user')
  await acts(moderator, person.id, { type: 'disable' })
  await listening.closed
  expect(fault(await person.get('/api/v1/timelines/home'))).toEqual([403, 'Your login is currently disabled'])
  await does(moderator, 'enable', person.id)
  expect((await person.get('/api/v1/timelines/home')).status).toBe(200)
})

test('what a sensitized account has posted and posts is marked as sensitive, boosted too, until that ends', async () => {
  const [person, other] = [await someone(), await someone()]
  const old = await person.says('old', { visibility: 'public' })
  await other.reacts('reblog', old)
  await acts(moderator, person.id, { type: 'sensitive' })
  const recent = await person.says('recent', { visibility: 'public' })
  await world.idle()
  const sensitiveOf = async (path: string) => done(await other.get(path)).map((each: Json) => (each.reblog ?? each).sensitive)
  const shown = [recent.sensitive, ...(await sensitiveOf(`/api/v1/accounts/${person.id}/statuses`))]
  expect(shown).toEqual([true, true, true])
  expect(await sensitiveOf(`/api/v1/accounts/${other.id}/statuses`)).toEqual([true])
  expect((await world.get(`/api/v1/statuses/${old.id}`)).body.sensitive).toBe(true)
  expect((await other.get(`/api/v1/statuses/${old.id}/history`)).body).toMatchObject([{ sensitive: true }])
  await does(moderator, 'unsensitive', person.id)
  expect(await sensitiveOf(`/api/v1/accounts/${person.id}/statuses`)).toEqual([false, false])
})

test('pages for browsers and feeds mark the files of a sensitized account', async () => {
  const person = await someone()
  const form = new FormData()
  form.set('file', new File([PICTURE], 'a.png', { type: 'image/png' }))
  const { id: file } = done(await person.post('/api/v2/media', form))
  const said = await person.says('a picture', { visibility: 'public', media_ids: [file] })
  await world.idle()
  const pageOf = async () => {
    const answer = await fetch(`${world.origin}/@${person.username}/${said.id}`, { headers: { accept: 'text/html' } })
    return answer.text()
  }
  expect(await pageOf()).not.toContain('Sensitive content')
  await acts(moderator, person.id, { type: 'sensitive' })
  expect(await pageOf()).toContain('Sensitive content')
})

test('only a suspended account is deleted; the answer is what it was', async () => {
  const { id } = await someone()
  expect(fault(await admin.asks('DELETE', `${PATH}/${id}`))).toEqual(NOT_ALLOWED)
  await acts(moderator, id, { type: 'suspend' })
  expect(fault(await moderator.asks('DELETE', `${PATH}/${id}`))).toEqual(NOT_ALLOWED)
  expect(done(await admin.asks('DELETE', `${PATH}/${id}`))).toMatchObject({ id, suspended: true })
  await world.advance(0)
  expect((await moderator.get(`${PATH}/${id}`)).status).toBe(404)
})

describe('staff', () => {
  const everything = (by: Person, id: string) => [
    ...['none', 'sensitive', 'disable', 'silence', 'suspend'].map((type) => acts(by, id, { type })),
    ...['approve', 'reject', 'enable', 'unsilence', 'unsuspend', 'unsensitive'].map((act) => does(by, act, id)),
    by.asks('DELETE', `${PATH}/${id}`),
  ]

  test('act on no one of their rank or above, and not on themselves', async () => {
    const second = await world.person('second_moderator', { role: 'moderator' })
    const pairs: [Person, Person][] = [
      [moderator, second],
      [moderator, admin],
      [moderator, owner],
      [admin, owner],
      [admin, admin],
      [owner, owner],
    ]
    for (const [by, on] of pairs) {
      const answers = await Promise.all(everything(by, on.id))
      expect(answers.map(fault)).toEqual(answers.map(() => NOT_ALLOWED))
    }
    expect(done(await owner.get(`${PATH}/${admin.id}`))).toMatchObject({ disabled: false, silenced: false, suspended: false })
    expect(done(await acts(admin, second.id, { type: 'silence' }))).toEqual({})
  })

  test('find no account that is not there', async () => {
    const gone = await someone()
    await world.operator().deleteAccount(innerCall(), { username: gone.username })
    for (const id of [gone.id, '1', 'x']) {
      const answers = await Promise.all([...everything(admin, id), acts(moderator, id, { type: 'tea' })])
      expect(answers.map(fault)).toEqual(answers.map(() => [404, 'Record not found']))
    }
  })

  test('who act on one account at once are all answered, and it ends in one state for both owners', async () => {
    const person = await someone()
    const all = ['suspend', 'unsuspend', 'suspend', 'unsuspend', 'suspend'].map((act, index) =>
      act === 'suspend' ? acts(index % 2 ? moderator : admin, person.id, { type: act }) : does(owner, act, person.id),
    )
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200))
    await world.advance(0)
    const { suspended } = await read(person.id)
    expect((await person.get('/api/v1/timelines/home')).status).toBe(suspended ? 403 : 200)
  })
})
