import { startBucket, type TestBucket } from '@rookery/test-stores'
import { type Person, World } from '@rookery/test-world'
import { multipart, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Files in a bucket, with a CDN in front of /media: invisible to those who post or read.

const CDN = 'https://files.birds.example'
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

let store: TestBucket
let world: World
let mara: Person
beforeAll(async () => {
  store = await startBucket()
  const settings = {
    MEDIA_URL: CDN,
    MEDIA_STORAGE: 'bucket',
    MEDIA_BUCKET_ENDPOINT: store.endpoint,
    MEDIA_BUCKET: store.bucket,
    MEDIA_BUCKET_REGION: store.region,
    MEDIA_BUCKET_KEY_ID: store.keyId,
    MEDIA_BUCKET_KEY: store.key,
  }
  world = await World.open({ settings })
  ;({ mara } = await world.cast('mara'))
})
afterAll(async () => {
  await world.close()
  await store.stop()
})

const file = { name: 'file', value: PIXEL, file: 'pixel.png', type: 'image/png' }
const upload = () => send(world.origin, { method: 'POST', path: '/api/v2/media', token: mara.token, ...multipart([file]) })
/** Fetches a URL of the CDN from its origin. */
const behind = (url: string) => fetch(url.replace(CDN, world.origin))

test('a picture is named by the CDN’s address, served behind it, and gone with its status', async () => {
  const { status, body } = await upload()
  expect(status).toBe(200)
  for (const address of [body.url, body.preview_url]) {
    expect(address).toMatch(/^https:\/\/files\.birds\.example\/media\/[0-9a-f]{32}\.png$/)
    const answer = await behind(address)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual([
      200,
      'image/png',
      'nosniff',
    ])
  }
  const said = await mara.says('a dot', { media_ids: [body.id] })
  expect(said.media_attachments[0].url).toBe(body.url)
  const page = await fetch(`${world.origin}/@mara/${said.id}`, { headers: { Accept: 'text/html' } })
  expect(page.headers.get('content-security-policy')).toMatch(/img-src [^;]*https:\/\/files\.birds\.example/)
  await world.idle()
  expect(store.objects.size).toBe(2)
  await mara.asks('DELETE', `/api/v1/statuses/${said.id}?delete_media=true`)
  await world.idle()
  await world.rookery.runJobs()
  expect([store.objects.size, (await behind(body.url)).status]).toEqual([0, 404])
})

test('an upload that the store does not take is refused as a fault of the moment', async () => {
  store.fail(503, 503, 503)
  const { status, body } = await upload()
  expect([status, body]).toEqual([503, { error: 'Service Unavailable' }])
  expect((await upload()).status).toBe(200)
})
