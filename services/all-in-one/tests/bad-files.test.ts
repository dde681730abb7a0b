import { crc32, deflateSync } from 'node:zlib'
import { multipart, type RawRequest, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BadInputHarness, json, openBadInput, PROFILE } from './bad-input.ts'

// Files that are not pictures, or are also something else.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

const cut = (bytes: Buffer, at: number): Buffer => bytes.subarray(0, at)

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A PNG of one grey, a small file whatever its dimensions. */
const png = (width: number, height: number, data: Buffer): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}
const row = (width: number) => Math.ceil(width / 8) + 1
const bomb = () => png(20_000, 20_000, deflateSync(Buffer.alloc(row(20_000) * 20_000)))
const liar = () => png(4, 4, deflateSync(Buffer.alloc(50_000_000)))

describe('a file', () => {
  const file = (value: Buffer | string, type = 'image/png', name = 'a.png') => multipart([{ name: 'file', value, file: name, type }])
  const upload = (path: string, form: ReturnType<typeof multipart>): RawRequest => ({ method: 'POST', path, ...form })
  const V2 = '/api/v2/media'

  test.each<[string, () => RawRequest, number | number[], RegExp]>([
    ['that is missing', () => upload(V2, multipart([{ name: 'description', value: 'tea' }])), 422, /File can't be blank/],
    ['that is text', () => upload(V2, multipart([{ name: 'file', value: 'tea' }])), 422, /File can't be blank/],
    ['in JSON', () => json({ file: 'tea' }, V2), 422, /File can't be blank/],
    ['that is empty', () => upload(V2, file('')), 422, /^Validation failed: /],
    ['that is no picture', () => upload(V2, file('tea')), 422, /^Validation failed: /],
    ['that is a page', () => upload(V2, file('<html><script>alert(1)</script>', 'text/html', 'a.html')), 422, /^Validation failed: /],
    [
      'that is a drawing',
      () => upload(V2, file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'a.svg')),
      422,
      /^Validation failed: /,
    ],
    ['cut off', () => upload(V2, file(cut(png(8, 8, deflateSync(Buffer.alloc(16))), 50))), 422, /^Validation failed: /],
    ['with more pixels than allowed', () => upload(V2, file(bomb())), 422, /^Validation failed: /],
    ['whose name has NUL', () => upload(V2, file('tea', 'image/png', 'a\0.png')), [400, 422], /./],
    [
      'with a focus that is none',
      () =>
        upload(
          V2,
          multipart([
            { name: 'focus', value: 'left' },
            { name: 'file', value: 'x', file: 'a' },
          ]),
        ),
      422,
      /Focus/,
    ],
    [
      'with a focus outside',
      () =>
        upload(
          V2,
          multipart([
            { name: 'focus', value: '0,1.1' },
            { name: 'file', value: 'x', file: 'a' },
          ]),
        ),
      422,
      /Focus/,
    ],
  ])('%s is refused', async (_case, request, status, error) => {
    await harness.refused(request(), status, error)
    await expect.poll(() => harness.leftovers()).toEqual([])
  })

  test.each([
    ['that breaks off', 'data'],
    ['that is whole', 'data\r\n--b--\r\n'],
  ])('behind a part with broken headers is refused at once, one %s too', async (_case, rest) => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    await harness.refused(
      { method: 'POST', path: V2, headers, body: `--b\r\n\0: x\r\n\r\nx\r\n${head}${rest}` },
      400,
      /not valid multipart/,
    )
    expect(harness.leftovers()).toEqual([])
  })

  test('over the limit is refused', async () => {
    const held = await harness.rows()
    const answer = await send(harness.world.origin, { token: harness.mara.token, ...upload(V2, file(Buffer.alloc(16_777_217))) })
    expect(answer).toMatchObject({ status: 422, body: { error: expect.stringMatching(/^Validation failed: /) } })
    expect(await harness.rows()).toEqual(held)
  })

  test('that unpacks to more than it says is refused or kept small', async () => {
    const answer = await harness.cheapest({ token: harness.mara.token, ...upload(V2, file(liar())) })
    expect([200, 422]).toContain(answer.status)
  })

  test('as a profile picture is refused alike, and nothing else of the change is kept', async () => {
    const change = multipart([
      { name: 'display_name', value: 'Changed' },
      { name: 'avatar', value: 'tea', file: 'a.png', type: 'image/png' },
    ])
    await harness.refused({ method: 'PATCH', path: PROFILE, ...change }, 422, /^Validation failed: /)
    expect((await harness.mara.get('/api/v1/accounts/verify_credentials')).body.display_name).not.toBe('Changed')
  })
})
