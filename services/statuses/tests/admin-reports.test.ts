import { InstanceSettingsDefinition } from '@rookery/contracts/federation'
import { callWithin } from '@rookery/rpc/call-within'
import { type Answer, type Person, World } from '@rookery/test-world'
import { adminReport } from '@rookery/test-world/admin-shapes'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { faultsIn } from '@rookery/test-world/shape'
import { afterAll, beforeAll, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

// Reports as staff handle them (beyond-the-spec 2.6).

const PATH = '/api/v1/admin/reports'

let world: World
let owner: Person
let moderator: Person
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open({ settings: { INSTANCE_RULES: 'Be kind\nNo selling' } })
  owner = await world.owner('owner')
  moderator = await world.person('moderator', { role: 'moderator', scopes: 'admin:read admin:write' })
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const fault = ({ status, body }: Answer) => [status, body.error]
const files = async (by: Person, body: object): Promise<Json> => {
  const { status, body: report } = await by.post('/api/v1/reports', body)
  expect(status).toBe(200)
  return report
}
const read = async (reportId: string): Promise<Json> => (await moderator.get(`${PATH}/${reportId}`)).body
const acts = (by: Person, reportId: string, act: string) => by.post(`${PATH}/${reportId}/${act}`)
const idsOf = ({ body }: Answer): string[] => body.map((report: Json) => report.id)

test('a report shows both sides with their logins, the statuses, also those for few, and the rules', async () => {
  const said = await joel.says('buy my tea', { visibility: 'private' })
  await joel.follows(mara)
  await mara.follows(joel)
  const [rule] = (await world.get('/api/v1/instance/rules')).body
  const { id: reportId } = await files(mara, { account_id: joel.id, status_ids: [said.id], comment: 'look', rule_ids: [rule.id] })
  const report = await read(reportId)
  expect(faultsIn(report, adminReport)).toEqual([])
  expect(report).toMatchObject({
    id: reportId,
    action_taken: false,
    category: 'violation',
    comment: 'look',
    account: { id: mara.id, username: 'mara', email: 'mara@example.org', account: { acct: 'mara' } },
    target_account: { id: joel.id, confirmed: true, approved: true, disabled: false, silenced: false, suspended: false, sensitized: false },
    assigned_account: null,
    action_taken_by_account: null,
    statuses: [{ id: said.id, visibility: 'private', account: { id: joel.id } }],
    rules: [rule],
  })
  expect((await moderator.get(PATH)).body[0]).toEqual(report)
})

test('pages hold open reports, or resolved ones, of everyone, by someone and about someone, latest first', async () => {
  const { ada, ben, cleo } = await world.cast('ada', 'ben', 'cleo')
  const [first, second, third, done] = [
    (await files(ada, { account_id: cleo.id })).id,
    (await files(ben, { account_id: cleo.id })).id,
    (await files(ada, { account_id: ben.id })).id,
    (await files(ada, { account_id: cleo.id })).id,
  ]
  await acts(moderator, done, 'resolve')
  const pageOf = async (query: string) => idsOf(await moderator.get(`${PATH}?${query}`))
  expect((await pageOf('')).slice(0, 3)).toEqual([third, second, first])
  expect(await pageOf(`account_id=${ada.id}`)).toEqual([third, first])
  expect(await pageOf(`target_account_id=${cleo.id}`)).toEqual([second, first])
  expect(await pageOf(`target_account_id=${cleo.id}&account_id=${ada.id}`)).toEqual([first])
  expect(await pageOf(`target_account_id=${cleo.id}&account_id=${ada.id}&resolved=true`)).toEqual([done])
  expect(await pageOf('resolved=1')).toEqual([done])
  const part = await moderator.get(`${PATH}?target_account_id=${cleo.id}&limit=1`)
  expect(idsOf(part)).toEqual([second])
  const next = /<[^>]*(\/api[^>]+)>; rel="next"/.exec(part.headers.get('link') ?? '')?.[1] ?? ''
  expect(idsOf(await moderator.get(next))).toEqual([first])
  expect(await pageOf(`min_id=${first}&limit=1`)).toEqual([second])
})

test('a report is assigned, taken by another, and given back', async () => {
  const { id: reportId } = await files(mara, { account_id: joel.id })
  expect((await acts(moderator, reportId, 'assign_to_self')).body.assigned_account).toMatchObject({ id: moderator.id })
  expect((await acts(owner, reportId, 'assign_to_self')).body.assigned_account).toMatchObject({ id: owner.id })
  for (const _again of [1, 2]) expect((await acts(moderator, reportId, 'unassign')).body.assigned_account).toBeNull()
})

test('a report is resolved and reopened; resolving again changes nothing, and of two who do it the last one counts', async () => {
  const { id: reportId } = await files(mara, { account_id: joel.id })
  const resolved = (await acts(moderator, reportId, 'resolve')).body
  expect(resolved).toMatchObject({ action_taken: true, action_taken_at: expect.any(String), action_taken_by_account: { id: moderator.id } })
  world.clock.advance(1000)
  expect((await acts(moderator, reportId, 'resolve')).body).toEqual(resolved)
  expect((await acts(owner, reportId, 'resolve')).body.action_taken_by_account).toMatchObject({ id: owner.id })
  expect((await acts(moderator, reportId, 'reopen')).body).toMatchObject({
    action_taken: false,
    action_taken_at: null,
    action_taken_by_account: null,
  })
})

test('two moderators on one report at once are both answered, and it ends in the state of one of them', async () => {
  const { id: reportId } = await files(mara, { account_id: joel.id })
  const all = ['assign_to_self', 'resolve', 'reopen', 'unassign', 'resolve'].flatMap((act) =>
    [moderator, owner].map((person) => acts(person, reportId, act)),
  )
  expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200))
  const last = (await acts(owner, reportId, 'resolve')).body
  expect(await read(reportId)).toEqual(last)
})

test('category and rules change together: rules make a violation, another category has none', async () => {
  const [rule] = (await world.get('/api/v1/instance/rules')).body
  const { id: reportId } = await files(mara, { account_id: joel.id, category: 'spam' })
  const change = async (body: object) => moderator.asks('PUT', `${PATH}/${reportId}`, { body })
  expect((await change({ rule_ids: [rule.id] })).body).toMatchObject({ category: 'violation', rules: [rule] })
  expect((await change({})).body).toMatchObject({ category: 'violation', rules: [rule] })
  expect((await change({ category: 'legal' })).body).toMatchObject({ category: 'legal', rules: [] })
  expect(fault(await change({ category: 'rude' }))).toEqual([422, 'Validation failed: Category is not included in the list'])
  expect(fault(await change({ rule_ids: ['99'] }))).toEqual([422, 'Validation failed: Rule ids does not reference valid rules'])
  expect(await read(reportId)).toMatchObject({ category: 'legal', rules: [] })
})

test('a report on someone who is gone is missing', async () => {
  const gone = await world.person('gone')
  const { id: reportId } = await files(mara, { account_id: gone.id })
  await world.operator().deleteAccount(callWithin(30), { username: 'gone' })
  await world.idle()
  expect(fault(await moderator.get(`${PATH}/${reportId}`))).toEqual([404, 'Record not found'])
  expect(idsOf(await moderator.get(PATH))).not.toContain(reportId)
})

test('a page costs as many calls and statements with five reports as with one', async () => {
  const costOf = async (limit: number) => {
    await moderator.get(`${PATH}?limit=${limit}`)
    return world.lastRequest
  }
  await costOf(5)
  const cost = await costOf(5)
  expect(cost).toEqual(await costOf(1))
  // The token, the reports, then logins and rules at once.
  expect(cost.hops).toBe(4)
})

test('a report keeps a rule that staff remove later, also when it is changed, and new reports cannot name it', async () => {
  const settings = innerClient(world, InstanceSettingsDefinition)
  const { rules } = await settings.createRule(innerCall(), { text: 'No tea', hint: 'Coffee', staffId: owner.id })
  const rule = { ...rules.at(-1)!, translations: {} }
  const { id: reportId } = await files(mara, { account_id: joel.id, rule_ids: [rule.id] })
  await settings.deleteRule(innerCall(), { id: rule.id, staffId: owner.id })
  expect((await world.get('/api/v1/instance/rules')).body).not.toContainEqual(rule)
  expect(await read(reportId)).toMatchObject({ category: 'violation', rules: [rule] })
  const [other] = (await world.get('/api/v1/instance/rules')).body
  const changed = await moderator.asks('PUT', `${PATH}/${reportId}`, { body: { rule_ids: [other.id, rule.id] } })
  expect([changed.status, changed.body.rules]).toEqual([200, [other, rule]])
  expect((await mara.post('/api/v1/reports', { account_id: joel.id, rule_ids: [rule.id] })).status).toBe(422)
})
