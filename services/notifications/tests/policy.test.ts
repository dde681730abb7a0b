import { StatusDeleted } from '@rookery/contracts/events'
import type { ListNotificationsRequest } from '@rookery/contracts/notifications'
import { transact } from '@rookery/database'
import type { DomainEvent } from '@rookery/events'
import type { Partially } from '@rookery/rpc'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { IntakeWriter } from '../src/intake/intake.store.ts'
import { applyPolicies } from '../src/policy/index.ts'
import { addressed, call, type Harness, openHarness, withdrawn } from './harness.ts'

const TABLES = ['notification', 'notificationRequest', 'notificationPolicy', 'notificationPermission', 'outbox'] as const
const MISSING = { kind: 'not_found', message: 'Record not found' }

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())
beforeEach(async () => {
  for (const table of TABLES) await harness.database.db.deleteFrom(table).execute()
  harness.statements.length = 0
  harness.notified.length = 0
  harness.messages.length = 0
  harness.calls.length = 0
  await harness.hide.nothing()
  harness.presence.leave('1')
})

/** A silenced account, which is filtered by default. */
const LIMITED = { isActorLimited: true, actorFollowsRecipient: true }
const mention = (about: string, by = '2', to = '1') => addressed({ to, type: 'mention', by, about, relation: LIMITED })

const list = async (request: Partially<ListNotificationsRequest> = {}) => {
  const { notifications } = await harness.inbox.list(call(), { viewerId: '1', page: { limit: 30 }, ...request })
  return notifications.map(
    ({ type, accountId, statusId, isFiltered }) => `${type} ${accountId}/${statusId}${isFiltered ? ' filtered' : ''}`,
  )
}
/** The requests of an account, newest first, as `account: count, latest status`. */
const requests = async (viewerId = '1') => {
  const page = await harness.requests.list(call(), { viewerId, page: { limit: 80 } })
  return page.requests.map(({ accountId, notificationsCount, statusId }) => `${accountId}: ${notificationsCount}, ${statusId}`)
}
const idOf = async (by: string) => {
  const page = await harness.requests.list(call(), { viewerId: '1', page: { limit: 80 } })
  return page.requests.find(({ accountId }) => accountId === by)!.id
}
const merge = () => harness.run('merge-notifications', { recipientId: '1' })

describe('a filtered notification', () => {
  test('is shown apart, and is neither counted nor announced', async () => {
    await harness.presence.arrive('1')
    await harness.deliver(mention('500'), addressed({ type: 'follow', by: '3' }))
    expect(await list()).toEqual(['follow 3/'])
    expect(await list({ includeFiltered: true })).toEqual(['follow 3/', 'mention 2/500 filtered'])
    expect(await list({ accountId: '2' })).toEqual(['mention 2/500 filtered'])
    const unread = async (more: object = {}) => (await harness.inbox.countUnread(call(), { viewerId: '1', limit: 10, ...more })).count
    expect([await unread(), await unread({ includeFiltered: true }), await unread({ accountId: '2' })]).toEqual([1, 2, 1])
    expect(harness.notified.map(({ type }) => type)).toEqual(['follow'])
  })

  test('that is dropped is nowhere', async () => {
    await harness.policies.update(call(), { viewerId: '1', forLimitedAccounts: 'drop' })
    await harness.deliver(mention('500'), addressed({ type: 'follow', by: '3' }))
    expect(await list({ includeFiltered: true })).toEqual(['follow 3/'])
    expect(await requests()).toEqual([])
  })

  test('other than a mention opens no request', async () => {
    await harness.deliver(addressed({ type: 'favourite', about: '500', relation: LIMITED }))
    expect([await list(), await list({ includeFiltered: true })]).toEqual([[], ['favourite 2/500 filtered']])
    expect(await requests()).toEqual([])
  })
})

test('mentions of one account make one request, with their number and the latest of them', async () => {
  await harness.deliver(mention('500'), mention('501', '3'))
  await harness.deliver(mention('502'), mention('503', '2', '9'))
  expect(await requests()).toEqual(['3: 1, 501', '2: 2, 502'])
  expect(await requests('9')).toEqual(['2: 1, 503'])
  const { requests: read } = await harness.requests.read(call(), { viewerId: '1', id: await idOf('2') })
  expect(read).toMatchObject([{ accountId: '2', createdAtMilliseconds: 1_700_000_000_000, updatedAtMilliseconds: 1_700_000_000_000 }])
  const policy = await harness.policies.read(call(), { viewerId: '1' })
  expect([policy.pendingRequestsCount, policy.pendingNotificationsCount]).toEqual([2, 3])
})

test('neither a request nor a policy counts beyond 100', async () => {
  await harness.deliver(...Array.from({ length: 120 }, (_, index) => mention(String(1000 + index))))
  await harness.deliver(...Array.from({ length: 110 }, (_, index) => mention('500', String(1000 + index))))
  const page = await harness.requests.list(call(), { viewerId: '1', page: { limit: 80, maxId: await firstId() } })
  expect(page.requests.find(({ accountId }) => accountId === '2')?.notificationsCount).toBe(100)
  const policy = await harness.policies.read(call(), { viewerId: '1' })
  expect([policy.pendingRequestsCount, policy.pendingNotificationsCount]).toEqual([100, 100])
})
/** The id of a request with at most 80 after it. */
const firstId = async () => {
  const rows = await harness.database.db.selectFrom('notificationRequest').select('id').orderBy('id').execute()
  return rows[79]!.id
}

test('pages of requests join without gaps, one statement and one batch of each kind', async () => {
  await harness.deliver(...['2', '3', '4', '5', '6'].map((by) => mention(`50${by}`, by)))
  harness.statements.length = 0
  const first = await harness.requests.list(call(), { viewerId: '1', page: { limit: 2 } })
  expect(harness.statements).toHaveLength(1)
  expect(harness.calls.sort()).toEqual(['readAccounts', 'readStatuses'])
  expect([first.requests.map(({ accountId }) => accountId), first.cursors?.isFull]).toEqual([['6', '5'], true])
  const accountIds = async (page: object) =>
    (await harness.requests.list(call(), { viewerId: '1', page: { limit: 2, ...page } })).requests.map(({ accountId }) => accountId)
  expect(await accountIds({ maxId: first.cursors!.last })).toEqual(['4', '3'])
  expect(await accountIds({ minId: await idOf('3') })).toEqual(['5', '4'])
  expect(await accountIds({ sinceId: await idOf('3') })).toEqual(['6', '5'])
})

test('a request of an account that is gone is left out, and one whose latest status is hidden has none', async () => {
  await harness.deliver(mention('500'), mention('501', '3'))
  const id = await idOf('3')
  await harness.hide.removed('3')
  await harness.hide.unseen('500')
  expect(await requests()).toEqual(['2: 1, '])
  await expect(harness.requests.read(call(), { viewerId: '1', id })).rejects.toMatchObject(MISSING)
})

test('a request is read and answered by its recipient alone', async () => {
  await harness.deliver(mention('500'))
  const id = await idOf('2')
  for (const [viewerId, named] of [
    ['9', id],
    ['1', '99999999'],
    ['1', 'x'],
  ] as const) {
    await expect(harness.requests.read(call(), { viewerId, id: named })).rejects.toMatchObject(MISSING)
    expect((await harness.requests.accept(call(), { viewerId, ids: [named] })).count).toBe(0)
    expect((await harness.requests.dismiss(call(), { viewerId, ids: [named] })).count).toBe(0)
  }
  expect(await requests()).toEqual(['2: 1, 500'])
})

describe('accepting', () => {
  test('has everything of the account appear and pass from now on, and says so once', async () => {
    await harness.presence.arrive('1')
    await harness.deliver(mention('500'), addressed({ type: 'favourite', about: '501', relation: LIMITED }), mention('502', '3'))
    expect((await harness.requests.accept(call(), { viewerId: '1', ids: [await idOf('2')] })).count).toBe(1)
    expect(await harness.requests.readMerged(call(), { viewerId: '1' })).toEqual({ isMerged: false })
    await merge()
    await merge()
    expect(await harness.requests.readMerged(call(), { viewerId: '1' })).toEqual({ isMerged: true })
    const events = await harness.database.db.selectFrom('outbox').select('key').execute()
    expect(events).toEqual([{ key: '1' }])
    expect(await list({ includeFiltered: true })).toEqual(['mention 3/502 filtered', 'favourite 2/501', 'mention 2/500'])
    await harness.deliver(mention('503'), mention('504', '3'))
    expect(await list()).toEqual(['mention 2/503', 'favourite 2/501', 'mention 2/500'])
    expect(await requests()).toEqual(['3: 2, 504'])
  })

  test('is undone by a block', async () => {
    await harness.deliver(mention('500'))
    await harness.requests.accept(call(), { viewerId: '1', ids: [await idOf('2')] })
    await merge()
    await harness.deliver({ $case: 'accountBlocked', value: { accountId: '1', targetId: '2' } })
    await harness.deliver(mention('501'))
    expect([await list(), await requests()]).toEqual([[], ['2: 1, 501']])
  })

  test('takes several chunks where much is held back', async () => {
    const rows = Array.from({ length: 2100 }, (_, index) => index)
    await harness.deliver(mention('500'))
    await harness.database.db
      .insertInto('notification')
      .values(
        rows.map((index) => ({
          recipientId: '1',
          type: 'favourite',
          actorId: '2',
          statusId: String(1000 + index),
          reportId: null,
          createdAt: new Date(),
          filtered: true,
        })),
      )
      .execute()
    await harness.requests.accept(call(), { viewerId: '1', ids: [await idOf('2')] })
    await merge()
    const left = await harness.database.db.selectFrom('notification').select('id').where('filtered', '=', true).execute()
    expect([left, await harness.requests.readMerged(call(), { viewerId: '1' })]).toEqual([[], { isMerged: true }])
  })

  test('waits for a batch that was judged before it, so that nothing of the account stays behind', async () => {
    await harness.deliver(mention('500'))
    const ids = [await idOf('2')]
    const judgedFirst = Promise.withResolvers<void>()
    const accepted = judgedFirst.promise.then(() => harness.requests.accept(call(), { viewerId: '1', ids }))
    await transact(harness.database.db, async (tx) => {
      const favourite = { recipientId: '1', type: 'favourite', actorId: '2', statusId: '600', addressedAt: 0 }
      const judged = await applyPolicies(tx, [{ ...favourite, reasons: ['forLimitedAccounts' as const] }])
      judgedFirst.resolve()
      const isWaiting = sql<{ is: boolean }>`select exists (select 1 from pg_locks where locktype = 'advisory' and not granted) "is"`
      await expect.poll(async () => (await isWaiting.execute(tx)).rows[0]?.is).toBe(true)
      await new IntakeWriter(tx).place(judged)
    })
    await accepted
    await merge()
    expect(await list()).toEqual(['favourite 2/600', 'mention 2/500'])
  })
})

test('what is dismissed stays hidden, and a new mention opens a new request of its own', async () => {
  await harness.deliver(mention('500'))
  const id = await idOf('2')
  expect((await harness.requests.dismiss(call(), { viewerId: '1', ids: [id] })).count).toBe(1)
  expect([await requests(), await list(), await list({ includeFiltered: true })]).toEqual([[], [], ['mention 2/500 filtered']])
  await harness.deliver(mention('501'))
  expect(await requests()).toEqual(['2: 1, 501'])
  expect(await idOf('2')).not.toBe(id)
})

test('a removed account leaves no request, policy or permission', async () => {
  await harness.policies.update(call(), { viewerId: '2', forNewAccounts: 'drop' })
  await harness.deliver(mention('500'), mention('501', '3'), mention('502', '4', '2'))
  await harness.requests.accept(call(), { viewerId: '1', ids: [await idOf('3')] })
  for (const accountId of ['2', '3']) await harness.deliver({ $case: 'accountRemoved', value: { accountId } } as DomainEvent)
  for (const table of ['notification', 'notificationRequest', 'notificationPolicy', 'notificationPermission'] as const) {
    expect([table, await harness.database.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  }
})

test('a batch with filtered notifications costs the same statements regardless of its size', async () => {
  const cost = async (size: number, from: number) => {
    const people = Array.from({ length: size }, (_, index) => String(from + index))
    await harness.deliver(...people.map((by) => mention('600', by)))
    harness.statements.length = 0
    await harness.deliver(...people.flatMap((by) => [mention('700', by), withdrawn({ to: '1', by, type: 'mention', about: '600' })]))
    return harness.statements.length
  }
  const one = await cost(1, 1000)
  expect(await cost(300, 2000)).toBe(one)
  expect(one).toBeLessThanOrEqual(9)
})

type Step =
  | { act: 'mention' | 'withdraw'; by: string; about: string }
  | { act: 'accept' | 'dismiss' | 'block' | 'remove' | 'delete'; by: string }
  | { act: 'delete status'; about: string }
  | { act: 'clear' }

/** The reference implementation: filtered notifications by sender, and accepted senders. */
const naive = () => {
  const pending = new Map<string, string[]>()
  const known = new Set<string>()
  const accepted = new Set<string>()
  const drop = (isGone: (by: string, about: string) => boolean) => {
    for (const key of known) if (isGone(...(key.split('/') as [string, string]))) known.delete(key)
    for (const [by, abouts] of pending) {
      pending.set(
        by,
        abouts.filter((about) => !isGone(by, about)),
      )
    }
  }
  return {
    pending: () =>
      [...pending]
        .filter(([, abouts]) => abouts.length > 0)
        .map(([by, abouts]) => `${by}: ${abouts.length}, ${abouts.at(-1)}`)
        .sort(),
    apply(step: Step) {
      switch (step.act) {
        case 'mention':
          if (known.has(`${step.by}/${step.about}`)) return
          known.add(`${step.by}/${step.about}`)
          if (!accepted.has(step.by)) pending.set(step.by, [...(pending.get(step.by) ?? []), step.about])
          return
        case 'withdraw':
          return drop((by, about) => by === step.by && about === step.about)
        case 'delete status':
          return drop((_by, about) => about === step.about)
        case 'delete':
        case 'dismiss':
        case 'accept':
          if ((pending.get(step.by) ?? []).length === 0) return
          if (step.act === 'accept') accepted.add(step.by)
          if (step.act === 'delete') {
            const [first] = pending.get(step.by)!
            return drop((by, about) => by === step.by && about === first)
          }
          return void pending.delete(step.by)
        case 'block':
        case 'remove':
          accepted.delete(step.by)
          return drop((by) => by === step.by)
        case 'clear':
          return drop(() => true)
      }
    },
  }
}

const statusDeleted = (statusId: string): DomainEvent => ({
  $case: 'statusDeleted',
  value: StatusDeleted.fromPartial({ statusId, authorId: '2' }),
})

const apply = async (step: Step) => {
  const request = async (by: string) => {
    const rows = await harness.database.db.selectFrom('notificationRequest').select('id').where('actorId', '=', by).execute()
    return rows.map(({ id }) => id)
  }
  switch (step.act) {
    case 'mention':
      return harness.deliver(mention(step.about, step.by))
    case 'withdraw':
      return harness.deliver(withdrawn({ to: '1', type: 'mention', by: step.by, about: step.about }))
    case 'delete status':
      return harness.deliver(statusDeleted(step.about))
    case 'block':
      return harness.deliver({ $case: 'accountBlocked', value: { accountId: '1', targetId: step.by } })
    case 'remove':
      return harness.deliver({ $case: 'accountRemoved', value: { accountId: step.by } } as DomainEvent)
    case 'clear':
      return harness.inbox.clear(call(), { viewerId: '1' })
    case 'delete':
      // A request has the id of its first mention while that exists; here the oldest one it has.
      for (const id of await request(step.by)) {
        const held = harness.database.db.selectFrom('notification').select('id').where('actorId', '=', step.by).where('filtered', '=', true)
        const [first] = await held.where('id', '>=', id).orderBy('id').limit(1).execute()
        await harness.inbox.dismiss(call(), { viewerId: '1', id: first!.id })
      }
      return
    case 'accept':
      await harness.requests.accept(call(), { viewerId: '1', ids: await request(step.by) })
      return merge()
    case 'dismiss':
      return harness.requests.dismiss(call(), { viewerId: '1', ids: await request(step.by) })
  }
}

const by = fc.constantFrom('2', '3')
const about = fc.constantFrom('500', '501', '502')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('mention' as const), by, about }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('withdraw' as const), by, about }) },
  fc.record({ act: fc.constantFrom('accept' as const, 'dismiss' as const, 'block' as const, 'remove' as const, 'delete' as const), by }),
  fc.record({ act: fc.constant('delete status' as const), about }),
  fc.constant({ act: 'clear' as const }),
)

test('requests are what a naive recomputation says, whatever happens', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
      for (const table of TABLES) await harness.database.db.deleteFrom(table).execute()
      const model = naive()
      for (const each of steps) {
        await apply(each)
        model.apply(each)
      }
      expect((await requests()).sort()).toEqual(model.pending())
      const rows = await harness.database.db.selectFrom('notificationRequest').select('actorId').execute()
      expect(rows).toHaveLength(model.pending().length)
    }),
    { numRuns: 40 },
  )
})
