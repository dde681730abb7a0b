import type { ListNotificationsRequest } from '@rookery/contracts/notifications'
import type { Partially } from '@rookery/rpc'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressed, call, type Harness, openHarness } from './harness.ts'

let harness: Harness
/** Ids of the notifications, oldest first. */
let ids: string[]

beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  await harness.database.db.deleteFrom('notification').execute()
  await harness.hide.nothing()
  await harness.deliver(
    addressed({ type: 'follow', by: '2' }),
    addressed({ type: 'favourite', by: '2', about: '500' }),
    addressed({ type: 'mention', by: '3', about: '501' }),
    addressed({ type: 'favourite', by: '3', about: '502' }),
    addressed({ type: 'reblog', by: '2', about: '502' }),
    addressed({ type: 'follow', by: '4' }),
    addressed({ to: '9', type: 'follow', by: '1' }),
  )
  const rows = await harness.database.db.selectFrom('notification').select('id').where('recipientId', '=', '1').orderBy('id').execute()
  ids = rows.map((row) => row.id)
  harness.statements.length = 0
  harness.calls.length = 0
})

const list = (request: Partially<ListNotificationsRequest>) =>
  harness.inbox.list(call(), { viewerId: '1', page: { limit: 10 }, ...request })
/** The notifications that a page shows, by their index; the oldest is 0. */
const places = async (request: Partially<ListNotificationsRequest>) =>
  (await list(request)).notifications.map((notification) => ids.indexOf(notification.id))

test('a page is newest first, with what it refers to, each once', async () => {
  const { notifications, views, cursors } = await list({})
  expect(notifications.map(({ id, type, accountId, statusId }) => [ids.indexOf(id), type, accountId, statusId])).toEqual([
    [5, 'follow', '4', ''],
    [4, 'reblog', '2', '502'],
    [3, 'favourite', '3', '502'],
    [2, 'mention', '3', '501'],
    [1, 'favourite', '2', '500'],
    [0, 'follow', '2', ''],
  ])
  expect(notifications[0]?.createdAtMilliseconds).toBe(1_700_000_005_000)
  expect(views?.items.map((item) => item.id).sort()).toEqual(['500', '501', '502'])
  expect(views?.statuses.map((status) => status.id).sort()).toEqual(['500', '501', '502'])
  expect(views?.accounts.map((account) => account.id).sort()).toEqual(['2', '3', '4', '5'])
  expect(cursors).toEqual({ first: ids[5], last: ids[0], isFull: false })
})

test('a page costs one statement and one batch of each kind', async () => {
  await list({})
  expect(harness.statements).toHaveLength(1)
  expect(harness.calls.sort()).toEqual(['readAccounts', 'readStatuses'])
})

test.each<[string, Partially<ListNotificationsRequest>, number[]]>([
  ['types', { types: ['mention', 'reblog'], hasTypes: true }, [4, 2]],
  ['a type no one has', { types: ['poll'], hasTypes: true }, []],
  ['types that no one knows', { hasTypes: true }, []],
  ['excluded types', { excludeTypes: ['follow', 'favourite'] }, [4, 2]],
  ['types less excluded ones', { types: ['mention', 'reblog'], hasTypes: true, excludeTypes: ['reblog'] }, [2]],
  ['an account', { accountId: '2' }, [4, 1, 0]],
  ['an account and a type', { accountId: '2', types: ['follow'], hasTypes: true }, [0]],
  ['an account that cannot be', { accountId: 'mara' }, []],
  ['another viewer', { viewerId: '8' }, []],
  ['a limit of nothing', { page: { limit: 0 } }, []],
])('a page can be of %s', async (_what, request, expected) => {
  expect(await places(request)).toEqual(expected)
})

test('pages join without gaps, downwards and upwards', async () => {
  const first = await list({ page: { limit: 2 } })
  expect([first.notifications.map(({ id }) => ids.indexOf(id)), first.cursors]).toEqual([
    [5, 4],
    { first: ids[5], last: ids[4], isFull: true },
  ])
  expect(await places({ page: { limit: 2, maxId: ids[4]! } })).toEqual([3, 2])
  expect(await places({ page: { limit: 2, minId: ids[1]! } })).toEqual([3, 2])
  expect(await places({ page: { limit: 2, sinceId: ids[1]! } })).toEqual([5, 4])
  expect(await places({ page: { limit: 9, minId: ids[1]!, maxId: ids[4]! } })).toEqual([3, 2])
})

test('what the viewer may not see is left out, with everything it refers to', async () => {
  await harness.hide.unseen('502')
  await harness.hide.removed('4')
  const { notifications, views } = await list({})
  expect(notifications.map(({ id }) => ids.indexOf(id))).toEqual([2, 1, 0])
  expect(views?.statuses.map((status) => status.id).sort()).toEqual(['500', '501'])
  expect(views?.accounts.map((account) => account.id).sort()).toEqual(['2', '3', '5'])
})

test('a page that hidden rows leave short is filled from behind them, and its cursors span what was read', async () => {
  await harness.hide.unseen('502')
  await harness.hide.removed('4')
  const filled = await list({ page: { limit: 2 } })
  expect(filled.notifications.map(({ id }) => ids.indexOf(id))).toEqual([2, 1])
  expect(filled.cursors).toEqual({ first: ids[5], last: ids[1], isFull: true })
  expect(filled.views?.accounts.map((account) => account.id).sort()).toEqual(['2', '3', '5'])
  expect(harness.statements).toHaveLength(2)
  const rest = await list({ page: { limit: 2, maxId: filled.cursors!.last } })
  expect(rest.notifications.map(({ id }) => ids.indexOf(id))).toEqual([0])
})

test('upwards too', async () => {
  await harness.hide.removed('2')
  const { notifications, cursors } = await list({ page: { limit: 2, minId: '0' } })
  expect(notifications.map(({ id }) => ids.indexOf(id))).toEqual([3, 2])
  expect(cursors).toEqual({ first: ids[3], last: ids[0], isFull: true })
})

test('a long run of hidden rows ends in a short page from which paging goes on', async () => {
  await harness.deliver(...Array.from({ length: 130 }, (_, index) => addressed({ by: String(100 + index), about: '666' })))
  await harness.hide.unseen('666')
  harness.statements.length = 0
  const first = await list({ page: { limit: 2 } })
  expect(first.notifications).toEqual([])
  expect(harness.statements).toHaveLength(4)
  expect(first.cursors?.isFull).toBe(true)
  const next = await list({ page: { limit: 6, maxId: first.cursors!.last } })
  expect(next.notifications.map(({ id }) => ids.indexOf(id))).toEqual([5, 4, 3, 2, 1, 0])
})

test('one notification is read by its recipient alone', async () => {
  const { notifications, views } = await harness.inbox.read(call(), { viewerId: '1', id: ids[2]! })
  expect([notifications.map(({ type }) => type), views?.items.map((item) => item.id)]).toEqual([['mention'], ['501']])
  const missing = { kind: 'not_found', message: 'Record not found' }
  await expect(harness.inbox.read(call(), { viewerId: '9', id: ids[2]! })).rejects.toMatchObject(missing)
  await expect(harness.inbox.read(call(), { viewerId: '1', id: '99999999' })).rejects.toMatchObject(missing)
  await expect(harness.inbox.read(call(), { viewerId: '1', id: 'x' })).rejects.toMatchObject(missing)
  await harness.hide.blocked('5', '1')
  await expect(harness.inbox.read(call(), { viewerId: '1', id: ids[2]! })).rejects.toMatchObject(missing)
})

test('one notification is dismissed by its recipient alone, once', async () => {
  const missing = { kind: 'not_found', message: 'Record not found' }
  await expect(harness.inbox.dismiss(call(), { viewerId: '9', id: ids[2]! })).rejects.toMatchObject(missing)
  await expect(harness.inbox.dismiss(call(), { viewerId: '1', id: 'x' })).rejects.toMatchObject(missing)
  await harness.inbox.dismiss(call(), { viewerId: '1', id: ids[2]! })
  expect(await places({})).toEqual([5, 4, 3, 1, 0])
  await expect(harness.inbox.dismiss(call(), { viewerId: '1', id: ids[2]! })).rejects.toMatchObject(missing)
})

test('clearing empties one inbox', async () => {
  await harness.inbox.clear(call(), { viewerId: '1' })
  expect(await places({})).toEqual([])
  expect((await harness.inbox.list(call(), { viewerId: '9', page: { limit: 5 } })).notifications).toHaveLength(1)
  await harness.inbox.clear(call(), { viewerId: '1' })
})
