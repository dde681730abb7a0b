import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import webPush from 'web-push'
import { readNotificationsConfig } from './config.ts'

const read = (key: string) => readNotificationsConfig({ BASE_URL: 'https://rookery.example', VAPID_PRIVATE_KEY: key }).vapidKeys
const privateKey = () => webPush.generateVAPIDKeys().privateKey

test('private keys of P-256 sign alerts, several with commas between', () => {
  const given = [privateKey(), privateKey()]
  expect(read(given.join(', ')).map((key) => key.reveal())).toEqual(given)
})

test.each([
  ['hexadecimal digits', randomBytes(32).toString('hex')],
  ['30 bytes', 'x'.repeat(41)],
  ['nothing but zeros', Buffer.alloc(32).toString('base64url')],
  ['a key with a wrong one', `${privateKey()},${'x'.repeat(41)}`],
])('%s are no keys that sign alerts', (_what, key) => {
  expect(() => read(key)).toThrow('VAPID_PRIVATE_KEY must be private keys of P-256 in base64url')
})
