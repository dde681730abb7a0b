import { type Person, World } from '@rookery/test-world'
import { mediaAttachment } from '@rookery/test-world/contract'
import { multipart, type RawAnswer, send } from '@rookery/test-world/raw-request'
import { faultsIn } from '@rookery/test-world/shape'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Files, from the upload to the status that shows them (spec, Media; beyond-the-spec 1.1, 1.10).

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
type Part = Parameters<typeof multipart>[0][number]
/** Another pixel, a red one. */
const RED = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64')
/** A truncated picture. */
const HALF = PIXEL.subarray(0, 45)
const file: Part = { name: 'file', value: PIXEL, file: 'pixel.png', type: 'image/png' }

const upload = (parts: readonly Part[], path = '/api/v2/media', person = mara): Promise<RawAnswer> =>
  send(world.origin, { method: 'POST', path, token: person.token, ...multipart(parts) })
const uploaded = async (person = mara): Promise<string> => (await upload([file], '/api/v2/media', person)).body.id

describe('an upload', () => {
  test.each<[string, Part[]]>([
    ['before its file', [{ name: 'description', value: 'a dot' }, { name: 'focus', value: '-0.5,1' }, file]],
    ['after its file', [file, { name: 'description', value: 'a dot' }, { name: 'focus', value: '-0.5,1' }]],
  ])('takes what is said of it %s', async (_case, parts) => {
    const { status, body } = await upload(parts)
    expect(status).toBe(200)
    expect(faultsIn(body, mediaAttachment)).toEqual([])
    expect(body).toMatchObject({ type: 'image', description: 'a dot', meta: { focus: { x: -0.5, y: 1 } } })
  })

  test.each(['плакат.png', 'a%22b%22.png', '../../etc/passwd', 'x'.repeat(2000)])('may be called %.20j', async (name) => {
    const { status, body } = await upload([{ ...file, file: name }])
    expect(status).toBe(200)
    expect(body.url).not.toContain('..')
  })

  test('of a type no one knows is what its bytes are', async () => {
    expect((await upload([{ ...file, type: 'application/octet-stream' }])).body.type).toBe('image')
  })

  test('counts its first file only', async () => {
    expect((await upload([file, { ...file, value: 'no picture' }])).status).toBe(200)
    expect((await upload([{ ...file, value: 'no picture' }, file])).status).toBe(422)
  })

  test('says too much at 1501 characters', async () => {
    expect((await upload([file, { name: 'description', value: 'x'.repeat(1500) }])).status).toBe(200)
    const { status, body } = await upload([file, { name: 'description', value: 'x'.repeat(1501) }])
    expect({ status, body }).toMatchObject({ status: 422, body: { error: expect.stringMatching(/^Validation failed: /) } })
  })

  test('by the older path is the same, but keeps what cannot be read', async () => {
    expect(faultsIn((await upload([file], '/api/v1/media')).body, mediaAttachment)).toEqual([])
    const unreadable = await upload([{ ...file, value: HALF }], '/api/v1/media')
    expect(unreadable).toMatchObject({ status: 200, body: { type: 'unknown' } })
    expect(faultsIn(unreadable.body, mediaAttachment)).toEqual([])
  })

  test('can be seen where it says', async () => {
    const { body } = await upload([file])
    for (const address of [body.url, body.preview_url]) {
      const { status, headers } = await world.get(new URL(address).pathname)
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^image\//)])
      expect(headers.get('cache-control')).toMatch(/max-age=\d{7,}/)
    }
  })
})

describe('one’s own file', () => {
  test.each(['PUT', 'PATCH'])('is described again by %s, in any encoding', async (method) => {
    const path = `/api/v1/media/${await uploaded()}`
    const ask = (body: string | Buffer, headers: Record<string, string>) =>
      send(world.origin, { method, path, token: mara.token, body, headers })
    const parts = multipart([{ name: 'description', value: 'in parts' }])
    expect(
      (await ask(JSON.stringify({ description: 'as JSON', focus: '0,0.25' }), { 'content-type': 'application/json' })).body,
    ).toMatchObject({
      description: 'as JSON',
      meta: { focus: { x: 0, y: 0.25 } },
    })
    expect((await ask('description=as+a+form', { 'content-type': 'application/x-www-form-urlencoded' })).body.description).toBe('as a form')
    expect((await ask(parts.body, parts.headers)).body).toMatchObject({ description: 'in parts', meta: { focus: { x: 0, y: 0.25 } } })
    expect((await mara.get(path)).body.description).toBe('in parts')
  })

  test('is no one else’s', async () => {
    const path = `/api/v1/media/${await uploaded()}`
    const notFound = { status: 404, body: { error: 'Record not found' } }
    expect(await joel.get(path)).toMatchObject(notFound)
    expect(await joel.asks('PUT', path, { body: { description: 'mine' } })).toMatchObject(notFound)
    expect((await mara.get(path)).body.description).toBeNull()
  })
})

describe('a status', () => {
  const publish = (mediaIds: string[], person = mara) => person.post('/api/v1/statuses', { status: '', media_ids: mediaIds })

  test('may be nothing but four pictures, in their order', async () => {
    const ids = [await uploaded(), await uploaded(), await uploaded(), await uploaded()]
    const { status, body } = await publish(ids)
    expect(status).toBe(200)
    expect(body.media_attachments.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(await publish([...ids, await uploaded()])).toMatchObject({ status: 422, body: { error: 'Cannot attach more than 4 files' } })
  })

  test('takes a file once, and only one’s own', async () => {
    const id = await uploaded()
    expect((await publish([id, id])).body.media_attachments).toHaveLength(1)
    const refusal = (wrong: string) => ({ status: 422, body: { error: `Media ${wrong} not found or already attached to another post` } })
    expect(await publish([id])).toMatchObject(refusal(id))
    const theirs = await uploaded(joel)
    expect(await publish([theirs])).toMatchObject(refusal(theirs))
    expect((await publish([theirs], joel)).status).toBe(200)
  })

  test('shows how its picture is described later', async () => {
    const id = await uploaded()
    const { body: said } = await publish([id])
    await mara.asks('PUT', `/api/v1/media/${id}`, { body: { description: 'described' } })
    await world.idle()
    expect((await mara.get(`/api/v1/statuses/${said.id}`)).body.media_attachments[0].description).toBe('described')
  })
})

test('a profile shows the pictures it was given, each in its place', async () => {
  const change = (person: Person, parts: readonly Part[]) =>
    send(world.origin, { method: 'PATCH', path: '/api/v1/accounts/update_credentials', token: person.token, ...multipart(parts) })
  const bytesOf = async (address: string) => (await send(world.origin, { path: new URL(address).pathname })).text
  const avatar = { ...file, name: 'avatar' }
  const header = { ...file, name: 'header', value: RED }
  const both = await change(mara, [avatar, header, { name: 'display_name', value: 'Mara' }])
  expect(both).toMatchObject({ status: 200, body: { display_name: 'Mara' } })
  await change(joel, [avatar])
  const { body: alone } = await change(joel, [header])
  const { body: account } = await world.get(`/api/v1/accounts/${mara.id}`)
  for (const name of ['avatar', 'avatar_static', 'header', 'header_static']) {
    expect(account[name]).not.toContain('missing.png')
    expect(await bytesOf(account[name])).toBe(await bytesOf(alone[name]))
  }
})
