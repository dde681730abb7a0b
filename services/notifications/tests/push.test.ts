import { createECDH, randomBytes } from 'node:crypto'
import { transact } from '@rookery/database'
import { encryption } from '@rookery/encryption'
import { Failure } from '@rookery/failures'
import { Secret } from '@rookery/runtime'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import webPush from 'web-push'
import { serverKeys } from '../src/push/index.ts'
import { MAX_SUBSCRIPTIONS } from '../src/push/subscription.store.ts'
import { call, type Harness, openHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
})
afterAll(() => harness.close())

const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
const subscribe = (accountId: string, tokenId: string, endpoint = `https://push.example/${tokenId}`) =>
  harness.push.subscribe(call(), {
    accountId,
    tokenId,
    accessToken: `token ${tokenId}`,
    endpoint,
    ...keys,
    standard: true,
    alerts: { mention: true },
    policy: 'all',
  })
const isThere = (tokenId: string) =>
  harness.push.read(call(), { tokenId }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure && error.kind === 'not_found') return false
      throw error
    },
  )

test('an account that subscribes with too many devices loses the oldest, and no one else does', async () => {
  await subscribe('2', '1')
  for (let token = 1000; token <= 1000 + MAX_SUBSCRIPTIONS; token++) await subscribe('1', String(token))
  expect([await isThere('1000'), await isThere('1001'), await isThere(String(1000 + MAX_SUBSCRIPTIONS)), await isThere('1')]).toEqual([
    false,
    true,
    true,
    true,
  ])
})

test('one token that subscribes twenty times at once has one subscription', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => subscribe('3', '30', `https://push.example/${index}`)))
  const rows = await harness.database.db.selectFrom('pushSubscription').selectAll().where('tokenId', '=', '30').execute()
  expect(rows).toHaveLength(1)
})

const revoked = (tokenId: string) => ({ $case: 'tokenRevoked', value: { tokenId, accountId: '4' } }) as const

test('a token that was revoked a moment ago cannot subscribe', async () => {
  await harness.deliverOfAuth(revoked('40'))
  await expect(subscribe('4', '40')).rejects.toMatchObject({ kind: 'unauthenticated', message: 'The access token was revoked' })
  expect(await isThere('40')).toBe(false)
})

test('a subscription that is being made while its token is revoked does not stay', async () => {
  const { db } = harness.database
  const waiting = () =>
    sql<{
      count: number
    }>`select count(*)::int from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`
      .execute(db)
      .then(({ rows }) => rows[0]!.count)
  // Locks the table, so that the subscription is under way when the event arrives.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holding = transact(db, async (tx) => {
    await sql`lock table push_subscription in share mode`.execute(tx)
    hold()
    await released
  })
  await held
  const subscribed = subscribe('4', '41')
  await expect.poll(waiting).toBe(1)
  const delivered = harness.deliverOfAuth(revoked('41'))
  await expect.poll(waiting).toBe(2)
  release()
  await Promise.all([holding, subscribed, delivered])
  expect([await isThere('41'), harness.errors]).toEqual([false, []])
})

test('a subscription made in the very moment its login is disabled rests until the login is enabled', async () => {
  const change = (isActive: boolean) => harness.deliverOfAuth({ $case: 'loginStateChanged', value: { accountId: '5', isActive } })
  const isPaused = async () =>
    (await harness.database.db.selectFrom('pushSubscription').select('isPaused').where('tokenId', '=', '50').executeTakeFirstOrThrow())
      .isPaused
  await change(false)
  await subscribe('5', '50')
  expect(await isPaused()).toBe(true)
  await change(true)
  expect(await isPaused()).toBe(false)
  await subscribe('5', '50')
  expect(await isPaused()).toBe(false)
})

test('what ended more than a day ago is forgotten', async () => {
  await harness.database.db
    .insertInto('endedAccess')
    .values({ kind: 'token', id: '60', endedAt: new Date(Date.now() - 25 * 3_600_000) })
    .execute()
  await harness.deliverOfAuth(revoked('61'))
  const rows = await harness.database.db.selectFrom('endedAccess').select('id').where('id', 'in', ['60', '61']).execute()
  expect(rows).toEqual([{ id: '61' }])
})

test('processes that start at once make one pair of keys, and keep it', async () => {
  const { database } = harness
  await database.db.deleteFrom('serverKey').execute()
  const processes = Array.from({ length: 5 }, () => serverKeys({ database, config: { vapidKeys: [], encryptionKeys: [] } }))
  const keys = await Promise.all(processes.map((load) => load()))
  const rows = await database.db.selectFrom('serverKey').select('name').orderBy('name').execute()
  expect(rows.map(({ name }) => name)).toEqual(['encryption', `vapid:${keys[0]!.current.publicKey}`])
  for (const each of keys) {
    expect(each.current).toEqual(keys[0]!.current)
    expect(each.encryption.decrypt(keys[0]!.encryption.encrypt('tea'))).toBe('tea')
  }
})

test('what was encrypted by the kept secret is read once a setting encrypts', async () => {
  const { database } = harness
  await database.db.deleteFrom('serverKey').execute()
  const keysWith = (...given: string[]) =>
    serverKeys({ database, config: { vapidKeys: [], encryptionKeys: given.map((key) => new Secret(key)) } })()
  const before = await keysWith()
  const after = await keysWith('a'.repeat(40))
  expect(after.current).toEqual(before.current)
  expect(after.encryption.decrypt(before.encryption.encrypt('tea'))).toBe('tea')
  expect(before.encryption.decrypt(after.encryption.encrypt('tea'))).toBeUndefined()
  expect((await keysWith('b'.repeat(40))).current).toEqual(before.current)
  await database.db.deleteFrom('serverKey').where('name', '=', 'encryption').execute()
  // The secret is gone: clients subscribe again, with a new key.
  const replaced = await keysWith('c'.repeat(40))
  expect(replaced.of(before.current.publicKey)).toBeUndefined()
  expect((await keysWith('c'.repeat(40))).current).toEqual(replaced.current)
})

test('a key that is kept without its leading zeros signs with all of its 32 bytes', async () => {
  const { database } = harness
  const secret = 'd'.repeat(40)
  const privateKey = Buffer.concat([Buffer.alloc(2), randomBytes(30)])
  await database.db.deleteFrom('serverKey').execute()
  const value = encryption([secret], 'vapid').encrypt(privateKey.subarray(2).toString('base64url'))
  await database.db.insertInto('serverKey').values({ name: 'vapid:short', value }).execute()
  const { current } = await serverKeys({ database, config: { vapidKeys: [], encryptionKeys: [new Secret(secret)] } })()
  expect(current.privateKey).toBe(privateKey.toString('base64url'))
  const signed = webPush.getVapidHeaders('https://push.example', 'mailto:a@b.example', current.publicKey, current.privateKey, 'aes128gcm')
  expect(signed.Authorization).toContain(current.publicKey)
})

test('a key of a setting replaces the kept one, and keys before it go on serving the subscriptions made with them', async () => {
  const { database } = harness
  const privateKey = () => webPush.generateVAPIDKeys().privateKey
  const keysFor = (...given: string[]) =>
    serverKeys({ database, config: { vapidKeys: given.map((key) => new Secret(key)), encryptionKeys: [] } })()
  const [first, second] = [privateKey(), privateKey()]
  const { current: kept } = await keysFor()
  const rotated = await keysFor(first)
  expect([rotated.current.privateKey, rotated.of(kept.publicKey)]).toEqual([first, kept])
  const again = await keysFor(second, first)
  expect(again.current.privateKey).toBe(second)
  expect([kept, rotated.current].map(({ publicKey }) => again.of(publicKey))).toEqual([kept, rotated.current])
  // A key that the operator removed is given up.
  expect((await keysFor(second)).of(rotated.current.publicKey)).toBeUndefined()
})
