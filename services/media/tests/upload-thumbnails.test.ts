import { type Answer, type Person, World } from '@rookery/test-world'
import { expectRefusal, SCHEDULED, schedules } from '@rookery/test-world/scheduling'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Previews chosen by owners (spec, Media; beyond-the-spec 1.10, Edit).

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  await joel.follows(mara)
  await world.idle()
})
afterAll(() => world.close())

type Form = Record<string, Buffer | string>

const picture = (background: string, width = 40, height = 40) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const formOf = (fields: Form) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new File([new Uint8Array(value)], 'picture.png', { type: 'image/png' }))
  }
  return form
}

const uploads = (fields: Form, path = '/api/v2/media') => mara.asks('POST', path, { body: formOf(fields) })
const changes = (id: string, fields: Form, person = mara) => person.asks('PUT', `/api/v1/media/${id}`, { body: formOf(fields) })
const edits = ({ id }: { id: string }, fields: Form) => mara.asks('PUT', `/api/v1/statuses/${id}`, { body: formOf(fields) })

const answerOf = (url: string) => fetch(new URL(new URL(url).pathname, world.origin))
const colourOf = async (url: string) => {
  const { channels } = await sharp(Buffer.from(await (await answerOf(url)).arrayBuffer())).stats()
  return channels
    .slice(0, 3)
    .map(({ mean }) => (mean > 127 ? 'f' : '0'))
    .join('')
}
/** The colours of a file and of its preview, and the preview's size. */
const lookOf = async ({ url, preview_url, meta }: Answer['body']) => [await colourOf(url), await colourOf(preview_url), meta.small.size]

const BLUE = await picture('#00f')
const RED = await picture('#f00', 30, 20)
const GREEN = await picture('#0f0', 20, 30)
const UNREADABLE = BLUE.subarray(0, 60)
const NO_PICTURE = Buffer.from('no picture at all')
const TOO_LARGE = Buffer.alloc(16_777_217)

const PROCESSING = 'Error processing thumbnail for uploaded media'
const INVALID = 'Validation failed: Thumbnail is invalid'
const TYPE = 'Validation failed: Thumbnail content type is invalid, Thumbnail is invalid'
const SIZE = 'Validation failed: File must be less than 16 MB'

describe('an upload with a thumbnail', () => {
  test.each(['/api/v1/media', '/api/v2/media'])('has it as its preview: POST %s', async (path) => {
    const plain = (await uploads({ file: BLUE }, path)).body
    const { status, body } = await uploads({ file: BLUE, thumbnail: RED, description: 'a square', focus: '0,1' }, path)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { description: 'a square', meta: { original: { size: '40x40' }, focus: { x: 0, y: 1 } } },
    })
    expect(await lookOf(body)).toEqual(['00f', 'f00', '30x20'])
    expect(body.blurhash).not.toBe(plain.blurhash)
    expect((await mara.get(`/api/v1/media/${body.id}`)).body).toEqual(body)
  })

  test('is shown with it by the status', async () => {
    const { id } = (await uploads({ thumbnail: RED, file: BLUE })).body
    expect(await lookOf((await mara.says('a square', { media_ids: [id] })).media_attachments[0])).toEqual(['00f', 'f00', '30x20'])
  })

  test.each([
    ['that cannot be read', UNREADABLE, 500, PROCESSING],
    ['that is no picture', NO_PICTURE, 422, TYPE],
    ['that is empty', Buffer.alloc(0), 422, "Validation failed: Thumbnail can't be blank"],
    ['that is too large', TOO_LARGE, 422, SIZE.replace('File', 'Thumbnail')],
  ])('%s is refused', async (_case, thumbnail, status, error) => {
    expectRefusal(await uploads({ file: BLUE, thumbnail }), status, error)
    expectRefusal(await uploads({ file: BLUE, thumbnail }, '/api/v1/media'), status, error)
  })
})

describe('a thumbnail that comes later', () => {
  test('is shown by the status, on timelines and in its history, and what was shown before is gone', async () => {
    const { body: uploaded } = await uploads({ file: BLUE, description: 'a square' })
    const said = await mara.says('a square', { media_ids: [uploaded.id] })
    await edits(said, { status: 'a blue square', 'media_ids[]': uploaded.id })
    await world.idle()
    const { status, body } = await changes(uploaded.id, { thumbnail: GREEN })
    await world.idle()
    await world.advance(0)
    expect([status, await lookOf(body)]).toEqual([200, ['00f', '0f0', '20x30']])
    expect(body).toMatchObject({ url: uploaded.url, description: 'a square', meta: { original: uploaded.meta.original } })
    expect(body.blurhash).not.toBe(uploaded.blurhash)
    const { media_attachments: shown, edited_at } = (await mara.get(`/api/v1/statuses/${said.id}`)).body
    expect(shown).toEqual([body])
    expect((await joel.home())[0].media_attachments).toEqual([body])
    const { body: history } = await mara.get(`/api/v1/statuses/${said.id}/history`)
    expect(history.map(({ media_attachments }: Answer['body']) => media_attachments)).toEqual([[body], [body]])
    expect(history.at(-1).created_at).toBe(edited_at)
    expect([(await answerOf(uploaded.preview_url)).status, (await answerOf(uploaded.url)).status]).toEqual([404, 200])
  })

  test('changes as often as its owner likes, beside what else is said', async () => {
    const { id } = (await uploads({ file: BLUE, thumbnail: RED })).body
    const { body: green } = await changes(id, { thumbnail: GREEN, description: 'green', focus: '1,1' })
    expect(green).toMatchObject({ description: 'green', meta: { focus: { x: 1, y: 1 } } })
    const { body: red } = await changes(id, { thumbnail: RED })
    expect([await lookOf(red), red.description]).toEqual([['00f', 'f00', '30x20'], 'green'])
    await world.advance(0)
    expect((await answerOf(green.preview_url)).status).toBe(404)
    expect((await changes(id, { description: 'red' })).body).toEqual({ ...red, description: 'red' })
  })

  test('comes with a scheduled status to what that becomes', async () => {
    const { id } = (await uploads({ file: BLUE })).body
    const kept = await schedules(world, mara, 'later', { media_ids: [id] })
    const { body } = await changes(id, { thumbnail: RED })
    await world.idle()
    expect((await mara.get(`/api/v1/scheduled_statuses/${kept.id}`)).body.media_attachments).toEqual([body])
    const { body: said } = await mara.post(`${SCHEDULED}/${kept.id}/publish`)
    await world.idle()
    expect((await mara.get(`/api/v1/statuses/${said.id}`)).body.media_attachments).toEqual([body])
  })

  test.each([
    ['cannot be read', UNREADABLE, INVALID],
    ['is no picture', NO_PICTURE, TYPE],
    ['is too large', TOO_LARGE, SIZE],
  ])('and %s is refused, and nothing has changed', async (_case, thumbnail, error) => {
    const { body } = await uploads({ file: BLUE, thumbnail: RED })
    expectRefusal(await changes(body.id, { thumbnail, description: 'changed' }), 422, error)
    await world.idle()
    expect((await mara.get(`/api/v1/media/${body.id}`)).body).toEqual(body)
    expect(await lookOf(body)).toEqual(['00f', 'f00', '30x20'])
  })

  test('is not taken where the rest is refused', async () => {
    const { body } = await uploads({ file: BLUE, thumbnail: RED })
    expect(await changes(body.id, { thumbnail: GREEN, description: 'x'.repeat(1501) })).toMatchObject({ status: 422 })
    await world.idle()
    expect(await lookOf((await mara.get(`/api/v1/media/${body.id}`)).body)).toEqual(['00f', 'f00', '30x20'])
  })

  test.each([
    ['whole', GREEN],
    ['unreadable', UNREADABLE],
  ])('is for no one else’s file, %s or not', async (_case, thumbnail) => {
    const { body } = await uploads({ file: BLUE })
    expectRefusal(await changes(body.id, { thumbnail }, joel), 404, 'Record not found')
    expect((await mara.get(`/api/v1/media/${body.id}`)).body).toEqual(body)
  })
})

describe('an edit of a status', () => {
  const two = async () => {
    const ids = [(await uploads({ file: BLUE })).body.id, (await uploads({ file: BLUE })).body.id]
    return { ids, said: await mara.says('two squares', { media_ids: ids }) }
  }
  const looks = (attachments: Answer['body'][]) => Promise.all(attachments.map(lookOf))

  test.each([
    ['in the order of the form', (_index: number) => '[]'],
    ['by number', (index: number) => `[${index}]`],
  ])('gives its files previews, %s', async (_case, place) => {
    const { ids, said } = await two()
    const form = formOf({})
    for (const id of ids) form.append('media_ids[]', id)
    for (const [index, thumbnail] of [RED, GREEN].entries()) {
      form.append(`media_attributes${place(index)}[id]`, ids[index])
      form.append(`media_attributes${place(index)}[thumbnail]`, new File([new Uint8Array(thumbnail)], 'thumbnail.png'))
    }
    form.append('status', 'two squares')
    const { status, body } = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: form })
    expect([status, body.edited_at]).toEqual([200, expect.any(String)])
    const expected = [
      ['00f', 'f00', '30x20'],
      ['00f', '0f0', '20x30'],
    ]
    expect(await looks(body.media_attachments)).toEqual(expected)
    await world.idle()
    const { body: history } = await mara.get(`/api/v1/statuses/${said.id}/history`)
    expect(history).toHaveLength(2)
    for (const revision of history) expect(await looks(revision.media_attachments)).toEqual(expected)
    expect((await joel.home())[0].media_attachments).toEqual(body.media_attachments)
  })

  test('is refused with a thumbnail that cannot be read, and changes nothing', async () => {
    const { ids, said } = await two()
    const fields = {
      status: 'changed',
      'media_ids[]': ids[0]!,
      'media_attributes[][id]': ids[0]!,
      'media_attributes[][thumbnail]': UNREADABLE,
    }
    expectRefusal(await edits(said, fields), 422, INVALID)
    await world.idle()
    expect((await mara.get(`/api/v1/statuses/${said.id}`)).body).toEqual(said)
  })

  test('gives its files previews that came as data URIs, as of clients that send JSON', async () => {
    const { ids, said } = await two()
    const dataUri = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
    const media_attributes = [RED, GREEN].map((thumbnail, index) => ({ id: ids[index], thumbnail: dataUri(thumbnail) }))
    const { status, body } = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, {
      body: { status: 'two squares', media_ids: ids, media_attributes },
    })
    expect(status).toBe(200)
    expect(await looks(body.media_attachments)).toEqual([
      ['00f', 'f00', '30x20'],
      ['00f', '0f0', '20x30'],
    ])
  })

  test('takes text in the place of a thumbnail for none', async () => {
    const { ids, said } = await two()
    const body = { status: 'changed', media_ids: ids, media_attributes: [{ id: ids[0], thumbnail: 'media_attributes[][thumbnail] 3' }] }
    const edited = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body })
    expect(edited).toMatchObject({ status: 200, body: { media_attachments: said.media_attachments } })
  })
})
