import { ReportOperatorDefinition } from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let people: Record<'mara' | 'joel' | 'ines', Person>
let moderator: Person
let admin: Person

beforeAll(async () => {
  world = await World.open({ settings: { INSTANCE_RULES: 'Be kind\nNo selling' } })
  people = await world.cast('mara', 'joel', 'ines')
  moderator = await world.person('moderator', { role: 'moderator' })
  admin = await world.person('admin', { role: 'admin' })
})
afterAll(() => world.close())

const NOT_FOUND = '404 {"error":"Record not found"}'
const report = (by: Person, body: object) => by.post('/api/v1/reports', body)
const notified = async (person: Person) => {
  await world.idle()
  return person.notifications('?types[]=admin.report')
}
const operator = () => operatorClient(world, ReportOperatorDefinition)

test('a report is stored, answered, and notified to those who manage reports, on their pages and streams', async () => {
  const { mara, joel } = people
  const listening = await moderator.listens('user')
  const said = await joel.says('buy my tea')
  const answer = await report(mara, {
    account_id: joel.id,
    status_ids: [said.id, said.id],
    comment: 'look',
    category: 'spam',
    forward: true,
  })
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^\d+$/),
      action_taken: false,
      action_taken_at: null,
      category: 'spam',
      comment: 'look',
      forwarded: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      status_ids: [said.id],
      rule_ids: null,
      target_account: (await world.get(`/api/v1/accounts/${joel.id}`)).body,
    },
  ])
  for (const reader of [moderator, admin]) {
    const [notification] = await notified(reader)
    expect(notification).toMatchObject({ type: 'admin.report', account: { id: mara.id }, report: answer.body })
    expect(notification).not.toHaveProperty('status')
    expect((await reader.get(`/api/v1/notifications/${notification.id}`)).body).toEqual(notification)
  }
  for (const other of [mara, joel, people.ines]) expect(await notified(other)).toEqual([])
  await expect
    .poll(() => listening.frames.filter(({ event }) => event === 'notification').map(({ payload }) => JSON.parse(payload!)))
    .toMatchObject([{ type: 'admin.report', account: { id: mara.id }, report: answer.body }])
  await listening.close()
})

test('rules make it a violation; every report notifies, also of the same accounts', async () => {
  const { mara, ines } = people
  const before = (await notified(moderator)).length
  const [rule] = (await world.get('/api/v1/instance/rules')).body
  const broken = await report(mara, { account_id: ines.id, category: 'spam', rule_ids: [rule.id] })
  expect(broken.body).toMatchObject({ category: 'violation', rule_ids: [rule.id], status_ids: [], comment: '' })
  const plain = await report(mara, { account_id: ines.id })
  expect(plain.body).toMatchObject({ category: 'other', rule_ids: null })
  const notifications = await notified(moderator)
  expect(notifications).toHaveLength(before + 2)
  expect(notifications.slice(0, 2).map((each) => each.report.id)).toEqual([plain.body.id, broken.body.id])
})

test.each<[string, object]>([
  ['Comment is too long (maximum is 1000 characters)', { comment: 'x'.repeat(1001) }],
  ['Category is not included in the list', { category: 'rude' }],
  ['Rule ids does not reference valid rules', { rule_ids: ['99'] }],
  ['Statuses are too many (maximum is 100)', { status_ids: Array.from({ length: 101 }, (_, index) => String(index + 1)) }],
])('is refused: %s', async (fault, body) => {
  const answer = await report(people.mara, { account_id: people.joel.id, ...body })
  expect([answer.status, answer.body.error]).toEqual([422, `Validation failed: ${fault}`])
})

test('a comment of 1000 characters is taken, regardless of what they are', async () => {
  const comment = '🫖'.repeat(1000)
  expect((await report(people.mara, { account_id: people.joel.id, comment })).body.comment).toBe(comment)
})

test('someone who is not there, and statuses that are not theirs or hidden, are missing records with the same bytes', async () => {
  const { mara, joel, ines } = people
  const own = await joel.says('hello')
  const others = await ines.says('hello')
  const hidden = await joel.says('for me', { visibility: 'direct' })
  const gone = await joel.says('gone')
  await joel.asks('DELETE', `/api/v1/statuses/${gone.id}`)
  const suspended = await world.person('suspended')
  await world.operator().setSuspended(innerCall(), { username: 'suspended', isSuspended: true })
  for (const body of [
    {},
    { account_id: '1' },
    { account_id: 'x' },
    { account_id: suspended.id },
    ...[others.id, hidden.id, gone.id, '1', 'x'].map((id) => ({ account_id: joel.id, status_ids: [own.id, id] })),
  ]) {
    const answer = await report(mara, body)
    expect([body, `${answer.status} ${answer.text}`]).toEqual([body, NOT_FOUND])
  }
  expect((await report(mara, { account_id: joel.id, status_ids: [own.id] })).status).toBe(200)
})

test('a former moderator reads no reports', async () => {
  const former = await world.person('former', { role: 'moderator' })
  await report(people.mara, { account_id: people.joel.id })
  const [notification] = await notified(former)
  expect(notification.report.target_account.id).toBe(people.joel.id)
  await world.operator().setRole(innerCall(), { username: 'former', role: 'user' })
  await world.advance(0)
  expect(await notified(former)).toEqual([])
  expect((await former.get(`/api/v1/notifications/${notification.id}`)).status).toBe(404)
})

test('an operator lists and resolves them, which readers see', async () => {
  const ida = await world.person('ida')
  const { id } = (await report(people.mara, { account_id: ida.id, comment: 'look' })).body
  await notified(moderator)
  const idsOf = async (withResolved: boolean) =>
    (await operator().list(innerCall(), { withResolved })).reports.map(({ report: each }) => each!.id)
  const { reports } = await operator().list(innerCall(), { withResolved: false })
  expect(reports[0]).toMatchObject({ username: 'mara', targetUsername: 'ida', report: { id, comment: 'look' } })
  await operator().resolve(innerCall(), { id })
  await operator().resolve(innerCall(), { id })
  expect(await idsOf(false)).not.toContain(id)
  expect(await idsOf(true)).toContain(id)
  expect((await notified(moderator))[0].report).toMatchObject({ id, action_taken: true, action_taken_at: expect.stringMatching(/Z$/) })
  for (const missing of ['0', '999999', 'x'])
    await expect(operator().resolve(innerCall(), { id: missing })).rejects.toThrow('Record not found')
})

test('what is notified of people who are gone goes with them', async () => {
  const gone = await world.person('gone')
  await report(people.mara, { account_id: gone.id })
  const before = (await notified(moderator)).length
  await world.operator().deleteAccount(innerCall(), { username: 'gone' })
  // The statuses of an account go first, and the rest once homes are without them.
  await world.advance(0)
  expect(await notified(moderator)).toHaveLength(before - 1)
  expect(await query(world, 'select id from statuses.report where target_id = $1', [gone.id])).toEqual([])
})

test('a page of reports costs as many statements as one of anything else', async () => {
  for (let count = 0; count < 5; count++) await report(people.mara, { account_id: people.joel.id })
  expect((await notified(moderator)).length).toBeGreaterThan(3)
  const costOf = async (limit: number) => {
    await moderator.notifications(`?types[]=admin.report&limit=${limit}`)
    return world.lastRequest
  }
  await costOf(5)
  expect(await costOf(5)).toEqual(await costOf(1))
})
