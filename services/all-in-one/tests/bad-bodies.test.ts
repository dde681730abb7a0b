import { gzipSync } from 'node:zlib'
import { exchange, hangUp, multipart, type RawRequest, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BadInputHarness, FORM, JSON_TYPE, json, MAX_CPU, openBadInput, PROFILE, post, STATUSES } from './bad-input.ts'

// Invalid bodies and requests.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

const utf8 = (bytes: readonly number[]) => Buffer.from(bytes)
const deep = (levels: number, open: string, close: string) => open.repeat(levels) + close.repeat(levels)
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
const parts = (count: number) => multipart(Array.from({ length: count }, (_, index) => ({ name: `k${index}`, value: 'v' })))
const cut = (bytes: Buffer, at: number): Buffer => bytes.subarray(0, at)
const whole = multipart([
  { name: 'status', value: 'whole' },
  { name: 'file', value: Buffer.alloc(5000), file: 'a.png', type: 'image/png' },
])

describe('a body', () => {
  const LARGE = 1_100_000
  test.each<[string, RawRequest, number, RegExp]>([
    ['JSON over the limit', json({ status: 'x'.repeat(LARGE) }), 422, /too large/],
    ['a form over the limit', post(`status=${'x'.repeat(LARGE)}`), 422, /too large/],
    ['a field over the limit', { ...post(''), ...multipart([{ name: 'status', value: 'x'.repeat(LARGE) }]) }, 422, /too large/],
    [
      'fields over the limit together',
      { ...post(''), ...multipart(Array(30).fill({ name: 'status', value: 'x'.repeat(50_000) })) },
      422,
      /too large/,
    ],
    ['10,000 parameters', post(Array.from({ length: 10_000 }, (_, index) => `k${index}=v`).join('&')), 400, /more than 2000 parameters/],
    ['10,000 names in JSON', json({ status: 'tea', ...names(10_000) }), 400, /more than 2000 parameters/],
    ['10,000 items in JSON', json({ status: 'tea', media_ids: Array(10_000).fill('1') }), 400, /more than 2000 parameters/],
    ['10,000 items', post(Array.from({ length: 10_000 }, () => 'media_ids[]=1').join('&')), 400, /more than 2000 parameters/],
    ['10,000 parts', { ...post(''), ...parts(10_000) }, 400, /more than 2000 parameters/],
    ['half of JSON', post('{"status":"te', JSON_TYPE), 400, /not valid JSON/],
    ['two times JSON', post('{"status":"tea"}{}', JSON_TYPE), 400, /not valid JSON/],
    ['a JSON list', post('[{"status":"tea"}]', JSON_TYPE), 400, /JSON object/],
    ['a JSON word', post('"status"', JSON_TYPE), 400, /JSON object/],
    ['JSON null', post('null', JSON_TYPE), 422, /Text can't be blank/],
    ['a form that says it is JSON', post('status=tea', JSON_TYPE), 400, /not valid JSON/],
    ['deep JSON', post(`{"status":"tea","a":${deep(100_000, '[', ']')}}`, JSON_TYPE), 400, /nested too deeply/],
    [
      'deep JSON objects',
      post(`{"status":"tea","a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, JSON_TYPE),
      400,
      /nested too deeply/,
    ],
    ['a deep form', post(`status=tea&a${'[a]'.repeat(10_000)}=1`), 400, /nested too deeply/],
    ['XML', post('<status>tea</status>', { 'content-type': 'application/xml' }), 400, /content type application\/xml is not understood/],
    ['a picture', post(Buffer.alloc(100), { 'content-type': 'image/png' }), 400, /content type image\/png is not understood/],
    ['a type of any bytes', post('tea', { 'content-type': 'é/ÿ"' }), 400, /is not understood/],
    ['a compressed body', post(gzipSync('{"status":"tea"}'), { ...JSON_TYPE, 'content-encoding': 'gzip' }), 400, /./],
    [
      'bytes that are no UTF-8 in JSON',
      post(Buffer.concat([Buffer.from('{"status":"'), utf8([0xff, 0xfe]), Buffer.from('"}')]), JSON_TYPE),
      400,
      /UTF-8/,
    ],
    ['bytes that are no UTF-8 in a form', post(Buffer.concat([Buffer.from('status='), utf8([0xc3, 0x28])])), 400, /UTF-8/],
    ['escapes that are no UTF-8 in a form', post('status=%ff%fe'), 400, /UTF-8/],
    ['half an escape in a form', post('status=100%'), 400, /UTF-8/],
    ['escapes that are no UTF-8 in a query', { method: 'POST', path: `${STATUSES}?status=%c3%28` }, 400, /UTF-8/],
    ['NUL in JSON', json({ status: 'te\0a' }), 400, /NUL/],
    ['NUL in a name of JSON', json({ status: 'tea', 'a\0': 1 }), 400, /NUL/],
    ['NUL within JSON', json({ status: 'tea', a: [{ b: ['\0'] }] }), 400, /NUL/],
    ['NUL in a form', post('status=te%00a'), 400, /NUL/],
    ['raw NUL in a form', post('status=te\0a'), 400, /NUL/],
    ['NUL in a query', { method: 'POST', path: `${STATUSES}?status=te%00a` }, 400, /NUL/],
    ['NUL in multipart', { ...post(''), ...multipart([{ name: 'status', value: 'te\0a' }]) }, 400, /"status" has no filename/],
    [
      'a picture without a filename',
      { ...post('', {}, '/api/v2/media'), ...multipart([{ name: 'file', value: utf8([0x89, 0x50, 0x4e, 0x47, 0]), type: 'image/png' }]) },
      400,
      /^The part "file" has no filename, and its content is not text$/,
    ],
    ['NUL in a name of multipart', { ...post(''), ...multipart([{ name: 'sta\0tus', value: 'tea' }]) }, 400, /./],
    ['multipart without a boundary', { ...post(whole.body, { 'content-type': 'multipart/form-data' }) }, 400, /not valid multipart/],
    [
      'multipart with another boundary',
      { ...post(whole.body, { 'content-type': 'multipart/form-data; boundary=other' }) },
      400,
      /not valid multipart/,
    ],
    ['multipart cut off in a header', post(cut(whole.body, 40), whole.headers), 400, /not valid multipart/],
    ['multipart cut off in a file', post(cut(whole.body, 3000), whole.headers), 400, /not valid multipart/],
    ['multipart without its end', post(cut(whole.body, whole.body.length - 4), whole.headers), 400, /not valid multipart/],
    [
      'a part with endless headers',
      { ...post(''), ...multipart([{ name: 'status', value: 'tea', type: `text/plain\r\n${'X-A: b\r\n'.repeat(5000)}` }]) },
      400,
      /./,
    ],
  ])('is refused: %s', async (_case, request, status, error) => {
    await harness.refused(request, status, error)
  })

  test('over the limit is refused also when it does not say how long it is', async () => {
    await harness.refused(
      post(`status=${'x'.repeat(LARGE)}`, { ...FORM, 'transfer-encoding': 'chunked', 'content-length': [] as unknown as string }),
      422,
      /too large/,
    )
  })

  test.each<[string, RawRequest]>([
    ['nothing, called multipart', post('', { 'content-type': 'multipart/form-data' }, '/api/v1/accounts/JOEL/unmute')],
    ['nothing, of a type no one knows', post('', { 'content-type': 'tea/green' }, '/api/v1/accounts/JOEL/unmute')],
    ['nothing, called JSON', post('', JSON_TYPE, '/api/v1/accounts/JOEL/unmute')],
    ['spaces, called JSON', post(' \n', JSON_TYPE, '/api/v1/accounts/JOEL/unmute')],
    ['JSON behind a byte order mark', post('\ufeff{"status":"tea"}', JSON_TYPE)],
    ['1,000 names that the endpoint does not take', json({ status: 'tea', ...names(1000) })],
    ['half a surrogate', post('{"status":"tea \\ud83c"}', JSON_TYPE)],
    [
      'files no one asked for',
      { ...post(''), ...multipart([...Array(20).fill({ name: 'tea', value: 'x', file: 'a' }), { name: 'status', value: 'tea' }]) },
    ],
  ])('is taken: %s', async (_case, request) => {
    const answer = await harness.cheapest({ token: harness.mara.token, ...request, path: request.path.replace('JOEL', harness.joel.id) })
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
    expect(answer.cpuMilliseconds).toBeLessThan(MAX_CPU)
  })

  test('of 85,000 keys on a public GET is refused, and not read where the endpoint takes nothing', async () => {
    const body = { method: 'GET', body: JSON.stringify(names(85_000)), headers: JSON_TYPE }
    const refused = await harness.cheapest({ ...body, path: '/api/v1/timelines/public' })
    expect(refused).toMatchObject({ status: 400, body: { error: 'There are more than 2000 parameters' } })
    expect(refused.cpuMilliseconds).toBeLessThan(MAX_CPU)
    expect(await send(harness.world.origin, { ...body, path: '/api/v1/custom_emojis' })).toMatchObject({ status: 200 })
    expect(await send(harness.world.origin, { ...body, body: '{"half', path: '/api/v1/custom_emojis' })).toMatchObject({ status: 200 })
  })

  test('with a file field left empty is one without it', async () => {
    const empty = { value: '', file: '', type: 'application/octet-stream' }
    const saved = await send(harness.world.origin, {
      method: 'PATCH',
      path: PROFILE,
      token: harness.mara.token,
      ...multipart([
        { name: 'avatar', ...empty },
        { name: 'display_name', value: 'Mara' },
        { name: 'header', ...empty },
      ]),
    })
    expect(saved).toMatchObject({ status: 200, body: { display_name: 'Mara', avatar: expect.stringContaining('missing.png') } })
    const posted = await send(harness.world.origin, {
      ...post(''),
      token: harness.mara.token,
      ...multipart([
        { name: 'status', value: 'tea' },
        { name: 'file', ...empty },
      ]),
    })
    expect(posted).toMatchObject({ status: 200 })
    expect(harness.leftovers()).toEqual([])
  })

  test('with names all objects have leaves objects alone', async () => {
    const bodies: RawRequest[] = [
      post(
        '{"status":"tea","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"hasOwnProperty":1,"toString":{}}',
        JSON_TYPE,
      ),
      post('status=tea&__proto__[polluted]=1&constructor[prototype][polluted]=1&hasOwnProperty=1&toString[x]=1'),
      {
        ...post(''),
        ...multipart([
          { name: 'status', value: 'tea' },
          { name: '__proto__[polluted]', value: '1' },
          { name: 'constructor', value: '1' },
        ]),
      },
    ]
    for (const request of bodies)
      expect(await send(harness.world.origin, { token: harness.mara.token, ...request })).toMatchObject({ status: 200 })
    const hashes =
      'source[__proto__][polluted]=1&source[constructor]=x&fields_attributes[0][__proto__][polluted]=1&fields_attributes[__proto__][name]=x'
    expect(await send(harness.world.origin, { token: harness.mara.token, ...post(hashes, FORM, PROFILE), method: 'PATCH' })).toMatchObject({
      status: 200,
    })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect([]).not.toHaveProperty('polluted')
  })

  test('that is never finished leaves nothing behind', async () => {
    await harness.world.idle()
    const held = await harness.rows()
    const head = (type: string) =>
      `POST ${STATUSES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${harness.mara.token}\r\nContent-Type: ${type}\r\nContent-Length: 9000\r\n\r\n`
    await hangUp(harness.world.origin, `${head('application/x-www-form-urlencoded')}status=unfinished`)
    await hangUp(harness.world.origin, head(whole.headers['content-type']) + cut(whole.body, 3000).toString('latin1'))
    const upload = head(whole.headers['content-type']).replace(STATUSES, '/api/v2/media')
    await hangUp(harness.world.origin, upload + cut(whole.body, 3000).toString('latin1'))
    expect((await harness.mara.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
    await harness.world.idle()
    expect(await harness.rows()).toEqual(held)
    await expect.poll(() => harness.leftovers()).toEqual([])
  })
})

describe('a request', () => {
  test.each([
    ['with 10,000 parameters in its address', `GET /api/v1/instance?${'k=v&'.repeat(10_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['with endless headers', `GET /api/v1/instance HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(5000)}\r\n`],
    ['with bytes no address may have', 'GET /api/v1/té HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['that is no HTTP', 'tea please\r\n\r\n'],
  ])('%s is answered in JSON, and ended', async (_case, bytes) => {
    const [head = '', body = ''] = (await exchange(harness.world.origin, bytes)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8/i)
    expect(head).toMatch(/\r\naccess-control-allow-origin: \*/i)
    expect(JSON.parse(body)).toEqual({ error: expect.stringMatching(/./) })
  })
})
