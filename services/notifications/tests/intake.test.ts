import type { DomainEvent } from '@rookery/events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressed, call, type Harness, openHarness, withdrawn } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  await harness.database.db.deleteFrom('notification').execute()
  harness.statements.length = 0
  harness.notified.length = 0
  harness.messages.length = 0
  harness.presence.leave('1')
})

/** An inbox, oldest first, as `type by/about`. */
const inboxOf = async (viewerId: string) => {
  const { notifications } = await harness.inbox.list(call(), { viewerId, page: { limit: 80 } })
  return notifications.map(({ type, accountId, statusId }) => `${type} ${accountId}${statusId && `/${statusId}`}`).reverse()
}

test('each reason makes one notification, in the order of the events', async () => {
  await harness.deliver(
    addressed({ by: '4', about: '500' }),
    addressed({ by: '3', type: 'follow' }),
    addressed({ by: '4', about: '500' }),
    addressed({ by: '4', about: '500', type: 'reblog' }),
    addressed({ by: '2', about: '500' }),
    addressed({ to: '9', by: '3', type: 'follow' }),
  )
  expect(await inboxOf('1')).toEqual(['favourite 4/500', 'follow 3', 'reblog 4/500', 'favourite 2/500'])
  expect(await inboxOf('9')).toEqual(['follow 3'])
})

test('what was notified already is not notified again, by the same event or by another', async () => {
  const event = { ...addressed({ about: '500' }), id: '01890000-0000-7000-8000-000000000001' }
  await harness.deliver(event)
  const first = await harness.database.db.selectFrom('notification').select(['id', 'createdAt']).execute()
  await harness.deliver(event)
  await harness.deliver(addressed({ about: '500' }), addressed({ type: 'follow' }))
  await harness.deliver(addressed({ type: 'follow' }))
  expect(await inboxOf('1')).toEqual(['favourite 2/500', 'follow 2'])
  expect(
    await harness.database.db.selectFrom('notification').select(['id', 'createdAt']).where('type', '=', 'favourite').execute(),
  ).toEqual(first)
  expect(first[0]?.createdAt.getTime()).toBe(1_700_000_000_000)
})

test.each<[string, DomainEvent, string[]]>([
  ['one notification', withdrawn({ to: '1', type: 'favourite', by: '2', about: '500' }), ['favourite 3/500', 'mention 2/501', 'follow 2']],
  [
    'all of one reason by one account',
    withdrawn({ to: '1', type: 'follow', by: '2' }),
    ['favourite 2/500', 'favourite 3/500', 'mention 2/501'],
  ],
  ['all by one account', withdrawn({ to: '1', by: '2' }), ['favourite 3/500']],
  ['all about one status', withdrawn({ about: '500' }), ['mention 2/501', 'follow 2']],
  [
    'one reason about one status',
    withdrawn({ type: 'mention', about: '500' }),
    ['favourite 2/500', 'favourite 3/500', 'mention 2/501', 'follow 2'],
  ],
  ['all of one recipient', withdrawn({ to: '1' }), []],
  ['one reason of one recipient', withdrawn({ to: '1', type: 'favourite' }), ['mention 2/501', 'follow 2']],
  ['all notifications from an account', withdrawn({ by: '3' }), ['favourite 2/500', 'mention 2/501', 'follow 2']],
  ["another recipient's", withdrawn({ to: '9', by: '2' }), ['favourite 2/500', 'favourite 3/500', 'mention 2/501', 'follow 2']],
  ['a block', { $case: 'accountBlocked', value: { accountId: '1', targetId: '2' } }, ['favourite 3/500']],
  [
    'a block by someone else',
    { $case: 'accountBlocked', value: { accountId: '2', targetId: '1' } },
    ['favourite 2/500', 'favourite 3/500', 'mention 2/501', 'follow 2'],
  ],
  [
    'a mute with notifications',
    { $case: 'accountMuted', value: { accountId: '1', targetId: '2', notifications: true } },
    ['favourite 3/500'],
  ],
  [
    'a mute without',
    { $case: 'accountMuted', value: { accountId: '1', targetId: '2', notifications: false } },
    ['favourite 2/500', 'favourite 3/500', 'mention 2/501', 'follow 2'],
  ],
  [
    'a deleted status',
    {
      $case: 'statusDeleted',
      value: {
        statusId: '500',
        authorId: '1',
        reblogOfId: '',
        visibility: 'public',
        tags: [],
        mediaIds: [],
        deleteMedia: false,
        mentionedAccountIds: [],
        wasListed: true,
        hadMedia: false,
      },
    },
    ['mention 2/501', 'follow 2'],
  ],
])('%s is taken out', async (_what, event, left) => {
  await harness.deliver(
    addressed({ by: '2', about: '500' }),
    addressed({ by: '3', about: '500' }),
    addressed({ by: '2', about: '501', type: 'mention' }),
    addressed({ by: '2', type: 'follow' }),
    addressed({ to: '9', by: '3', type: 'follow' }),
  )
  await harness.deliver(event)
  expect(await inboxOf('1')).toEqual(left)
  const others = event.$case === 'notificationWithdrawn' && event.value.actorId === '3' && !event.value.recipientId ? [] : ['follow 3']
  expect(await inboxOf('9')).toEqual(others)
})

test('one status unfavoured leaves the others favoured', async () => {
  await harness.deliver(addressed({ about: '500' }), addressed({ about: '501' }))
  await harness.deliver(withdrawn({ to: '1', type: 'favourite', by: '2', about: '500' }))
  expect(await inboxOf('1')).toEqual(['favourite 2/501'])
})

test('within a batch the later one wins', async () => {
  await harness.deliver(
    addressed({ by: '2', about: '500' }),
    withdrawn({ to: '1', type: 'favourite', by: '2', about: '500' }),
    withdrawn({ to: '1', type: 'follow', by: '3' }),
    addressed({ by: '3', type: 'follow' }),
  )
  expect(await inboxOf('1')).toEqual(['follow 3'])
})

test('a batch costs the same statements regardless of its size', async () => {
  const cost = async (size: number) => {
    harness.statements.length = 0
    const people = Array.from({ length: size }, (_, index) => String(1000 + index))
    await harness.deliver(...people.flatMap((by) => [addressed({ by, about: '700' }), withdrawn({ to: '1', by, type: 'mention' })]))
    return harness.statements.length
  }
  const one = await cost(1)
  expect(await cost(300)).toBe(one)
  expect(one).toBeLessThanOrEqual(5)
})

test('connected accounts get new notifications only', async () => {
  await harness.presence.arrive('1')
  await harness.deliver(addressed({ about: '500' }), addressed({ to: '9', about: '500' }), addressed({ type: 'follow' }))
  await harness.deliver(addressed({ to: '9', about: '502' }), addressed({ about: '500' }))
  harness.presence.leave('1')
  await harness.deliver(addressed({ about: '501' }))
  const { notifications } = await harness.inbox.list(call(), { viewerId: '1', page: { limit: 10 } })
  expect(harness.notified).toEqual([
    {
      id: notifications[2]!.id,
      recipientId: '1',
      type: 'favourite',
      createdAtMilliseconds: 1_700_000_000_000,
      accountId: '2',
      statusId: '500',
      groupKey: 'favourite-500-39351',
    },
    {
      id: notifications[1]!.id,
      recipientId: '1',
      type: 'follow',
      createdAtMilliseconds: 1_700_000_002_000,
      accountId: '2',
      statusId: '',
      groupKey: 'follow-39351',
    },
  ])
})

test('an event that comes again is announced again as the same, and stored once', async () => {
  await harness.presence.arrive('1')
  const event = { id: '01890000-0000-7000-8000-000000000002', ...addressed({ about: '500' }) }
  await harness.deliver(event)
  await harness.deliver(event, addressed({ type: 'follow', by: '3' }))
  expect(await inboxOf('1')).toEqual(['favourite 2/500', 'follow 3'])
  expect(harness.messages.map(({ eventId, event }) => [eventId === harness.messages[0]!.eventId, event])).toEqual([
    [true, harness.messages[0]!.event],
    [true, harness.messages[0]!.event],
    [false, expect.objectContaining({ $case: 'notification' })],
  ])
  expect(harness.messages[0]!.eventId).toBe(event.id)
})

test('what was withdrawn before it could be announced is not announced', async () => {
  await harness.presence.arrive('1')
  await harness.deliver(addressed({ about: '500' }), withdrawn({ to: '1', about: '500' }))
  expect(harness.messages).toEqual([])
})

test('an event that makes no sense is put aside, and the others of its batch are acted on', async () => {
  await harness.deliver(addressed({ by: '2', about: '500' }), addressed({ to: 'nobody' }), addressed({ by: '3', about: '500' }))
  expect(await inboxOf('1')).toEqual(['favourite 2/500', 'favourite 3/500'])
  const letters = await harness.database.db.selectFrom('deadLetter').select('consumer').execute()
  expect(letters).toEqual([{ consumer: 'notifications.intake' }])
})
