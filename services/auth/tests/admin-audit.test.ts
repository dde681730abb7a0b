import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The log of what staff and operators did.

let world: World
let moderator: Person
let mara: Person
let joel: Person

beforeAll(async () => {
  world = await World.open()
  moderator = await world.person('moderator', { role: 'moderator', scopes: 'admin:read admin:write' })
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const log = async (page = {}) => {
  await world.idle()
  return (await world.operator().listActs(innerCall(), { page: { limit: 100, ...page } })).acts
}

test('holds every act with who, what, on whom, when and the text, latest first', async () => {
  const { id: reportId } = (await mara.post('/api/v1/reports', { account_id: joel.id })).body
  const onReport = (act: string) => moderator.post(`/api/v1/admin/reports/${reportId}/${act}`)
  for (const act of ['assign_to_self', 'assign_to_self', 'unassign', 'resolve', 'reopen']) await onReport(act)
  await moderator.asks('PUT', `/api/v1/admin/reports/${reportId}`, { body: { category: 'spam' } })
  await world.idle()
  const body = { type: 'silence', text: 'Too loud.', report_id: reportId }
  expect((await moderator.post(`/api/v1/admin/accounts/${joel.id}/action`, body)).status).toBe(200)
  await world.operator().setDisabled(innerCall(), { username: 'joel', isDisabled: true })
  await world.operator().setRole(innerCall(), { username: 'mara', role: 'admin' })

  const by = { staffId: moderator.id, staffUsername: 'moderator', accountId: joel.id, username: 'joel', target: '', text: '', reportId: '' }
  const operators = { ...by, staffId: '', staffUsername: '' }
  const acts = await log()
  expect(acts.map(({ id: _id, createdAtMilliseconds: _at, ...act }) => act)).toEqual([
    { ...operators, action: 'change_role', accountId: mara.id, username: 'mara', text: 'admin' },
    { ...operators, action: 'disable' },
    { ...by, action: 'silence', text: 'Too loud.', reportId },
    { ...by, action: 'change_report', text: 'spam', reportId },
    ...['reopen', 'resolve', 'unassign', 'assign'].map((act) => ({ ...by, action: `${act}_report`, reportId })),
    { ...operators, action: 'create_account', accountId: moderator.id, username: 'moderator', text: 'moderator' },
  ])
  expect(acts.every(({ createdAtMilliseconds }) => createdAtMilliseconds > 0)).toBe(true)
  expect(await log({ maxId: acts[1]!.id, limit: 2 })).toEqual(acts.slice(2, 4))
})

test('keeps what was done to someone who is gone by the name they had, and not what was refused', async () => {
  const gone = await world.person('gone')
  const admin = await world.person('an_admin', { role: 'admin', scopes: 'admin:read admin:write' })
  expect((await admin.asks('DELETE', `/api/v1/admin/accounts/${gone.id}`)).status).toBe(403)
  await moderator.post(`/api/v1/admin/accounts/${gone.id}/action`, { type: 'suspend' })
  expect((await admin.asks('DELETE', `/api/v1/admin/accounts/${gone.id}`)).status).toBe(200)
  await world.advance(0)
  expect((await log()).slice(0, 2)).toMatchObject([
    { action: 'delete', accountId: gone.id, username: '', target: '@gone' },
    { action: 'suspend', accountId: gone.id, username: '' },
  ])
})

test('keeps what was done to addresses and trends, with what it was about', async () => {
  const boss = await world.owner('boss')
  const made = async (path: string, body: object): Promise<string> => (await boss.post(`/api/v1/admin/${path}`, body)).body.id
  const ends = async (path: string, id: string) => expect((await boss.asks('DELETE', `/api/v1/admin/${path}/${id}`)).status).toBe(200)
  await ends('email_domain_blocks', await made('email_domain_blocks', { domain: 'spam.example' }))
  const network = await made('ip_blocks', { ip: '192.0.2.0/24', severity: 'sign_up_block' })
  await boss.asks('PUT', `/api/v1/admin/ip_blocks/${network}`, { body: { comment: 'spam' } })
  await ends('ip_blocks', network)
  await ends('canonical_email_blocks', await made('canonical_email_blocks', { email: 'spam@example.org' }))
  expect((await boss.post('/api/v1/admin/email_domain_blocks', { domain: '' })).status).toBe(422)
  await boss.says('#tea')
  await world.idle()
  const [tag] = (await boss.get('/api/v2/search?q=tea&type=hashtags')).body.hashtags
  for (const act of ['approve', 'reject']) await boss.post(`/api/v1/admin/trends/tags/${tag.id}/${act}`)
  await world.idle()
  const acts = (await log())
    .filter(({ staffId }) => staffId === boss.id)
    .map(({ action, target, accountId }) => [action, target, accountId])
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(acts).toEqual([
    ['reject_trend', '#tea', ''],
    ['approve_trend', '#tea', ''],
    ['delete_canonical_email_block', hash, ''],
    ['create_canonical_email_block', hash, ''],
    ['delete_ip_block', '192.0.2.0/24', ''],
    ['change_ip_block', '192.0.2.0/24', ''],
    ['create_ip_block', '192.0.2.0/24', ''],
    ['delete_email_domain_block', 'spam.example', ''],
    ['create_email_domain_block', 'spam.example', ''],
  ])
})
