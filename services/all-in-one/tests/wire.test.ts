import { endpoints } from '@rookery/gateway'
import { type Person, World } from '@rookery/test-world'
import { multipart, type RawAnswer, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fits } from './client.ts'

// Wire rules that clients rely on (beyond-the-spec 0.1 to 0.3).

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

const post = (path: string, body: string | Buffer, headers: Record<string, string>): Promise<RawAnswer> =>
  send(world.origin, { method: 'POST', path, token: mara.token, body, headers })

/** A set of parameters in every encoding that clients use. */
const encodings = (parameters: Record<string, string>): Record<string, { query?: string; body?: string | Buffer; type: string }> => {
  const form = new URLSearchParams(parameters).toString()
  const parts = multipart(Object.entries(parameters).map(([name, value]) => ({ name, value })))
  return {
    JSON: { body: JSON.stringify(parameters), type: 'application/json' },
    'JSON with a charset': { body: JSON.stringify(parameters), type: 'Application/JSON; charset=UTF-8' },
    form: { body: form, type: 'application/x-www-form-urlencoded' },
    multipart: { body: parts.body, type: parts.headers['content-type'] },
    query: { query: form, type: '' },
    'a form without a type': { body: form, type: '' },
    'a form called plain text': { body: form, type: 'text/plain;charset=UTF-8' },
  }
}

describe('parameters', () => {
  const texts = { status: 'tea & “cake” + 1=2 % ünï ✨\nready', spoiler_text: 'a b' }

  test.each(Object.entries(encodings(texts)))('are taken as %s', async (_name, { query, body, type }) => {
    const path = `/api/v1/statuses${query ? `?${query}` : ''}`
    const { status, body: said } = await post(path, body ?? '', type ? { 'content-type': type } : {})
    expect({ status, spoiler: said.spoiler_text }).toEqual({ status: 200, spoiler: 'a b' })
    expect(said.content).toBe('<p>tea &amp; “cake” + 1=2 % ünï ✨<br />ready</p>')
  })

  test('are merged: path over body over query', async () => {
    const both = await post('/api/v1/statuses?status=query&visibility=unlisted&spoiler_text=query', 'status=body&visibility=private', FORM)
    expect(both.body).toMatchObject({ content: '<p>body</p>', visibility: 'private', spoiler_text: 'query' })
    const path = await post(`/api/v1/accounts/${joel.id}/follow?id=${mara.id}`, JSON.stringify({ id: mara.id }), JSON_TYPE)
    expect(path.body).toMatchObject({ id: joel.id, following: true })
  })

  test('are taken from the body of a DELETE', async () => {
    const attached = async () => {
      const { body: media } = await mara.asks('POST', '/api/v2/media', { body: pictureForm() })
      return { media, status: await mara.says('with a picture', { media_ids: [media.id] }) }
    }
    for (const [body, headers] of [
      ['delete_media=true', FORM],
      [JSON.stringify({ delete_media: true }), JSON_TYPE],
    ] as const) {
      const { media, status } = await attached()
      const path = `/api/v1/statuses/${status.id}`
      expect((await send(world.origin, { method: 'DELETE', path, token: mara.token, body, headers })).status).toBe(200)
      await world.advance(0)
      expect((await mara.get(`/api/v1/media/${media.id}`)).status).toBe(404)
    }
  })

  test('are taken from the body of a GET', async () => {
    const answer = await send(world.origin, {
      path: '/api/v1/accounts/relationships',
      token: mara.token,
      body: JSON.stringify({ id: [joel.id] }),
      headers: JSON_TYPE,
    })
    expect(answer.body).toMatchObject([{ id: joel.id }])
  })

  test('given twice count as their last', async () => {
    expect((await post('/api/v1/statuses', 'status=first&status=last', FORM)).body.content).toBe('<p>last</p>')
  })

  test('of JSON null are absent, unknown ones are ignored', async () => {
    const body = {
      status: 'only this',
      spoiler_text: null,
      sensitive: null,
      visibility: null,
      media_ids: null,
      in_reply_to_id: null,
      tea: [{}],
    }
    const { status, body: said } = await post('/api/v1/statuses', JSON.stringify(body), JSON_TYPE)
    expect({ status, visibility: said.visibility, reply: said.in_reply_to_id }).toEqual({ status: 200, visibility: 'public', reply: null })
  })

  test('that are ids may be JSON numbers as long as those are exact', async () => {
    const reply = await post('/api/v1/statuses', `{"status":"to a number","in_reply_to_id":${'9'.repeat(18)}}`, JSON_TYPE)
    expect(reply).toMatchObject({ status: 422, body: { error: 'Validation failed: in_reply_to_id is not a valid id' } })
  })
})

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const pictureForm = () => {
  const form = new FormData()
  form.set('file', new File([PIXEL], 'pixel.png', { type: 'image/png' }))
  return form
}

describe('lists', () => {
  const spellings = (
    ids: readonly string[],
  ): Record<string, { query?: string; json?: unknown; form?: string; parts?: [string, string][] }> => ({
    'k[]': { query: ids.map((id) => `id[]=${id}`).join('&') },
    'k%5B%5D': { query: ids.map((id) => `id%5B%5D=${id}`).join('&') },
    'k[0]': { query: ids.map((id, index) => `id[${index}]=${id}`).join('&') },
    'k[] in a form': { form: ids.map((id) => `id[]=${id}`).join('&') },
    'k[0] in multipart': { parts: ids.map((id, index) => [`id[${index}]`, id]) },
    'a JSON array': { json: { id: ids } },
    'a JSON hash by index': { json: { id: Object.fromEntries(ids.entries()) } },
  })
  const ask = async ({ query, json, form, parts }: { query?: string; json?: unknown; form?: string; parts?: [string, string][] }) => {
    const path = `/api/v1/accounts/relationships${query ? `?${query}` : ''}`
    const base = { path, token: mara.token }
    if (query !== undefined) return send(world.origin, base)
    if (json) return send(world.origin, { ...base, body: JSON.stringify(json), headers: JSON_TYPE })
    if (form) return send(world.origin, { ...base, body: form, headers: FORM })
    return send(world.origin, { ...base, ...multipart(parts!.map(([name, value]) => ({ name, value }))) })
  }

  test.each(['k[]', 'k%5B%5D', 'k[0]', 'k[] in a form', 'k[0] in multipart', 'a JSON array', 'a JSON hash by index'])(
    'may be spelled as %s',
    async (name) => {
      const { body } = await ask(spellings([joel.id, mara.id])[name]!)
      expect(body.map(({ id }: { id: string }) => id)).toEqual([joel.id, mara.id])
    },
  )

  test('of one may be a bare value', async () => {
    for (const asked of [{ query: `id=${joel.id}` }, { json: { id: joel.id } }, { form: `id=${joel.id}` }]) {
      expect((await ask(asked)).body).toMatchObject([{ id: joel.id }])
    }
  })

  test('longer than a parser’s usual limit stay lists', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => String(index + 1))
    expect((await ask({ query: [...ids, joel.id].map((id) => `id[]=${id}`).join('&') })).body).toMatchObject([{ id: joel.id }])
  })
})

describe('lists of hashes', () => {
  const wanted = [
    { name: 'Pronouns', value: 'she/her' },
    { name: 'Site', value: 'none yet' },
  ]
  const pairs = (key: (index: number, name: string) => string): [string, string][] =>
    wanted.flatMap((field, index) => Object.entries(field).map(([name, value]): [string, string] => [key(index, name), value]))
  const form = (given: [string, string][]) => new URLSearchParams(given).toString()
  const spellings: Record<string, [string | Buffer, Record<string, string>]> = {
    'k[][x]': [form(pairs((_, name) => `fields_attributes[][${name}]`)), FORM],
    'k[0][x]': [form(pairs((index, name) => `fields_attributes[${index}][${name}]`)), FORM],
    'k[7][x] and k[3][x]': [form(pairs((index, name) => `fields_attributes[${7 - 4 * index}][${name}]`)), FORM],
    'a JSON array': [JSON.stringify({ fields_attributes: wanted }), JSON_TYPE],
    'a JSON hash by index': [JSON.stringify({ fields_attributes: { 0: wanted[0], 1: wanted[1] } }), JSON_TYPE],
  }
  const inParts = multipart(pairs((index, name) => `fields_attributes[${index}][${name}]`).map(([name, value]) => ({ name, value })))
  spellings['k[0][x] in multipart'] = [inParts.body, inParts.headers]

  test.each(Object.entries(spellings))('may be spelled as %s', async (_name, [body, headers]) => {
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { fields_attributes: [] } })
    const path = '/api/v1/accounts/update_credentials'
    const answer = await send(world.origin, { method: 'PATCH', path, token: mara.token, body, headers })
    expect(answer.body.source.fields).toEqual(wanted.map((field) => ({ ...field, verified_at: null })))
  })
})

describe('booleans', () => {
  beforeAll(async () => {
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { sensitive: true } } })
  })
  const published = async (sensitive: unknown) => (await mara.says('tea', { sensitive })).sensitive
  const publishedByForm = async (sensitive: string) =>
    (await post('/api/v1/statuses', new URLSearchParams({ status: 'tea', sensitive }).toString(), FORM)).body.sensitive

  test.each([false, 0, '0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])('%j is false', async (value) => {
    expect(await published(value)).toBe(false)
    expect(await publishedByForm(String(value))).toBe(false)
  })
  test.each([true, 1, '1', 't', 'true', 'on', 'yes', 'anything'])('%j is true', async (value) => {
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { sensitive: false } } })
    expect(await published(value)).toBe(true)
    expect(await publishedByForm(String(value))).toBe(true)
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { sensitive: true } } })
  })
  test.each(['', null, undefined, {}, []])('%j is not set', async (value) => {
    expect(await published(value)).toBe(true)
  })
})

describe('limit', () => {
  beforeAll(async () => {
    for (let index = 0; index < 42; index++) await joel.says(`post ${index}`)
  })
  const page = `/api/v1/accounts/:id/statuses`
  test.each([
    ['5', 5],
    ['-5', 5],
    ['0', 0],
    ['', 20],
    ['abc', 20],
    ['100', 40],
    ['99999999999999999999', 40],
    ['+7', 7],
  ])('%j gives %i', async (typed, expected) => {
    const answer = await mara.get(`${page.replace(':id', joel.id)}?limit=${encodeURIComponent(typed)}`)
    expect({ status: answer.status, count: answer.body.length }).toEqual({ status: 200, count: expected })
  })
  test('may be a JSON number', async () => {
    const path = page.replace(':id', joel.id)
    const answer = await send(world.origin, { path, token: mara.token, body: '{"limit":3}', headers: JSON_TYPE })
    expect(answer.body).toHaveLength(3)
  })
  test('may be text where a number is meant', async () => {
    const { body } = await post(`/api/v1/accounts/${joel.id}/mute`, 'duration=3600', FORM)
    expect(body.muting).toBe(true)
    const muted = (await mara.get('/api/v1/mutes')).body[0]
    expect(Date.parse(muted.mute_expires_at) - Date.now()).toBeGreaterThan(3_500_000)
    await mara.does('unmute', joel)
  })
})

describe('notification types', () => {
  beforeAll(async () => {
    await joel.follows(mara)
    await joel.says('hello @mara')
    await world.idle()
  })
  const typesOf = async (query: string) => (await mara.notifications(query)).map(({ type }) => type)

  test('that are unknown are dropped; none left means none', async () => {
    expect(await typesOf('')).toEqual(['mention', 'follow'])
    expect(await typesOf('?types[]=mention&types[]=tea')).toEqual(['mention'])
    expect(await typesOf('?types[]=tea')).toEqual([])
    expect(await typesOf('?exclude_types[]=tea&exclude_types[]=mention')).toEqual(['follow'])
    expect(await typesOf('?exclude_types[]=tea')).toEqual(['mention', 'follow'])
  })
})

describe('every route', () => {
  const filled = (path: string) => path.replace(/:\w+/g, '1')
  const isPicture = (path: string) => path.endsWith('.png') || path.endsWith('.ico')
  const OTHER_FILES = new Set(['/.well-known/host-meta', '/health', '/manifest.json', '/robots.txt'])
  /** The content of an answer, without what differs each time. */
  const said = ({ status, headers, body, text }: RawAnswer) => ({ status, type: headers['content-type'], body: body ?? text })

  test('takes a trailing slash', async () => {
    for (const { method, path } of endpoints) {
      const plain = await send(world.origin, { method, path: filled(path) })
      const slashed = await send(world.origin, { method, path: `${filled(path)}/` })
      expect({ path, ...said(slashed) }).toEqual({ path, ...said(plain) })
      expect(slashed.body?.error).not.toBe('Not Found')
    }
  })

  test('that takes PUT takes PATCH, and the other way round', async () => {
    const updates = endpoints.filter(({ method }) => method === 'PUT' || method === 'PATCH')
    expect(updates.length).toBeGreaterThan(1)
    for (const { method, path } of updates) {
      const other = method === 'PUT' ? 'PATCH' : 'PUT'
      expect(await send(world.origin, { method: other, path: filled(path) })).toMatchObject({ status: expect.toBeOneOf([401, 403]) })
    }
  })

  test('answers HEAD as GET, without a body', async () => {
    for (const { path } of endpoints.filter(({ method }) => method === 'GET')) {
      const got = await send(world.origin, { path: filled(path) })
      const head = await send(world.origin, { method: 'HEAD', path: filled(path) })
      expect({ path, status: head.status, text: head.text }).toEqual({ path, status: got.status, text: '' })
      expect(head.headers['content-type']).toBe(got.headers['content-type'])
      expect(head.headers['content-length']).toBe(got.headers['content-length'])
    }
  })

  test('says what it sends and when', async () => {
    for (const { method, path } of endpoints) {
      const { headers, status } = await send(world.origin, { method, path: filled(path) })
      const isJson = /^application\/(json|jrd\+json); charset=utf-8$/.test(String(headers['content-type']))
      expect({
        path,
        isTyped: isJson || (status === 200 && (isPicture(path) || OTHER_FILES.has(path))),
      }).toEqual({
        path,
        isTyped: true,
      })
      expect(Math.abs(Date.parse(String(headers['date'])) - Date.now())).toBeLessThan(5000)
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('with another method is not there', async () => {
    for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
      const taken = new Set(endpoints.filter((endpoint) => filled(endpoint.path) === filled(path)).map(({ method }) => method))
      const free = ['GET', 'POST', 'PUT', 'DELETE'].filter((method) => !taken.has(method as 'GET'))
      for (const method of [...free.filter((each) => each !== 'PUT' || !taken.has('PATCH')), 'PROPFIND']) {
        const answer = await send(world.origin, { method, path: filled(path), token: mara.token })
        const isOther = endpoints.some((other) => other.method === method && fits(other.path, filled(path)))
        if (isOther) continue
        expect({ method, path, status: answer.status, body: answer.body }).toEqual({
          method,
          path,
          status: 404,
          body: { error: 'Not Found' },
        })
      }
    }
  })

  test('of sign-in with another method is not there, in JSON for programs', async () => {
    for (const [method, path] of [
      ['GET', '/oauth/token'],
      ['GET', '/oauth/revoke'],
      ['PUT', '/oauth/authorize'],
      ['GET', '/oauth/tea'],
      ['POST', '/'],
    ] as const) {
      const answer = await send(world.origin, { method, path, headers: { accept: '*/*' } })
      expect({ path, status: answer.status, body: answer.body }).toEqual({ path, status: 404, body: { error: expect.any(String) } })
    }
  })

  test.each([
    '/api/v1/tea',
    '/api/v3/instance',
    '/api',
    '/tea',
    '/api/v1/statuses/1/2/3',
    '/api/v1/accounts/%ff',
    '/%00',
    '/.well-known/tea',
  ])('%s is not there', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await send(world.origin, { method, path, token: mara.token })
      expect(answer).toMatchObject({ status: 404, body: { error: expect.any(String) } })
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })
})

describe('ids', () => {
  const isRecent = (id: string) => Math.abs(Number(BigInt(id) >> 16n) - Date.now()) < 600_000

  test('are decimal texts of 64 bits that say when they were made', async () => {
    const { body: media } = await mara.asks('POST', '/api/v2/media', { body: pictureForm() })
    const said = await mara.says('with ids', { media_ids: [media.id] })
    for (const id of [said.id, said.account.id, said.media_attachments[0].id]) {
      expect(id).toMatch(/^[1-9]\d{0,18}$/)
      expect(BigInt(id)).toBeLessThan(2n ** 63n)
      expect(isRecent(id)).toBe(true)
    }
  })

  test('of a boost are its own', async () => {
    const said = await mara.says('boost this')
    const boost = await joel.reacts('reblog', said)
    expect(boost.id).not.toBe(said.id)
    expect(boost.reblog.id).toBe(said.id)
  })

  test('of notifications fit a JSON number', async () => {
    for (const { id } of await mara.notifications()) expect(Number.isSafeInteger(Number(id)) && String(Number(id)) === id).toBe(true)
  })
})

describe('timestamps', () => {
  const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

  test('have three fraction digits; an account’s are coarser', async () => {
    const said = await mara.says('at this moment')
    expect(said.created_at).toMatch(MOMENT)
    expect(Math.abs(Date.parse(said.created_at) - Date.now())).toBeLessThan(5000)
    await world.idle()
    const { body: account } = await mara.get(`/api/v1/accounts/${mara.id}`)
    expect(account.created_at).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/)
    expect(account.last_status_at).toMatch(/^\d{4}-\d\d-\d\d$/)
    for (const { created_at } of await mara.notifications()) expect(created_at).toMatch(MOMENT)
  })
})
