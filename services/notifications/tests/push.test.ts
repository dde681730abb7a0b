import { createECDH, randomBytes } from 'node:crypto'
import { Failure } from '@rookery/failures'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
