import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The log of what staff and operators did.

let world: World
let moderator: Person
let mara: Person
let joel: Person
const call = () => ({ deadline: Date.now() + 30_000, signal: new AbortController().signal, trace: 'audit' })

beforeAll(async () => {
  world = await World.open()
  moderator = await world.person('moderator', { role: 'moderator', scopes: 'admin:read admin:write' })
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const log = async (page = {}) => {
  await world.idle()
  return (await world.operator().listActs(call(), { page: { limit: 100, ...page } })).acts
}

test('holds every act with who, what, on whom, when and the text, latest first', async () => {
  const { id: reportId } = (await mara.post('/api/v1/reports', { account_id: joel.id })).body
  const onReport = (act: string) => moderator.post(`/api/v1/admin/reports/${reportId}/${act}`)
  for (const act of ['assign_to_self', 'assign_to_self', 'unassign', 'resolve', 'reopen']) await onReport(act)
  await moderator.asks('PUT', `/api/v1/admin/reports/${reportId}`, { body: { category: 'spam' } })
  await world.idle()
  const body = { type: 'silence', text: 'Too loud.', report_id: reportId }
  expect((await moderator.post(`/api/v1/admin/accounts/${joel.id}/action`, body)).status).toBe(200)
  await world.operator().setDisabled(call(), { username: 'joel', isDisabled: true })
  await world.operator().setRole(call(), { username: 'mara', role: 'admin' })

  const by = { staffId: moderator.id, staffUsername: 'moderator', accountId: joel.id, username: 'joel', text: '', reportId: '' }
  const operators = { ...by, staffId: '', staffUsername: '' }
  const acts = await log()
  expect(acts.map(({ id: _id, createdAtMilliseconds: _at, ...act }) => act)).toEqual([
    { ...operators, action: 'change_role', accountId: mara.id, username: 'mara', text: 'admin' },
    { ...operators, action: 'disable' },
    { ...by, action: 'silence', text: 'Too loud.', reportId },
    { ...by, action: 'change_report', text: 'spam', reportId },
    ...['reopen', 'resolve', 'unassign', 'assign'].map((act) => ({ ...by, action: `${act}_report`, reportId })),
  ])
  expect(acts.every(({ createdAtMilliseconds }) => createdAtMilliseconds > 0)).toBe(true)
  expect(await log({ maxId: acts[1]!.id, limit: 2 })).toEqual(acts.slice(2, 4))
})

test('keeps what was done to someone who is gone, and not what was refused', async () => {
  const gone = await world.person('gone')
  expect((await moderator.asks('DELETE', `/api/v1/admin/accounts/${gone.id}`)).status).toBe(403)
  await moderator.post(`/api/v1/admin/accounts/${gone.id}/action`, { type: 'suspend' })
  expect((await moderator.asks('DELETE', `/api/v1/admin/accounts/${gone.id}`)).status).toBe(200)
  await world.advance(0)
  expect((await log()).slice(0, 2)).toMatchObject([
    { action: 'delete', accountId: gone.id, username: '' },
    { action: 'suspend', accountId: gone.id, username: '' },
  ])
})
