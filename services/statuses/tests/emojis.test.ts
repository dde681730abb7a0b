import { EmojiOperatorDefinition } from '@rookery/contracts/statuses'
import { World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())
afterEach(async () => {
  for (const { shortcode } of (await operator().list(innerCall(), {})).emojis) await operator().remove(innerCall(), { shortcode })
})

/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const PHOTO = Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), Buffer.alloc(64)])

/** A frame of one pixel: how long it lasts, where it is, and its colour (GIF89a, 20 to 23). */
const frame = (colour: 0 | 1) => Buffer.of(0x21, 0xf9, 4, 0, 10, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, colour ? 0x4c : 0x44, 1, 0)
const MOVING = Buffer.concat([
  Buffer.from('GIF89a'),
  Buffer.of(1, 0, 1, 0, 0x80, 0, 0, 255, 255, 255, 0, 0, 0),
  frame(0),
  frame(1),
  Buffer.of(0x3b),
])

const operator = () => operatorClient(world, EmojiOperatorDefinition)
const imports = (shortcode: string, { picture = PICTURE, category = '' } = {}) =>
  operator().import(innerCall(), { shortcode, category, picture })
const listed = async () => (await world.get('/api/v1/custom_emojis')).body

describe('the server’s own emojis', () => {
  test('are shown to anyone, by category and shortcode', async () => {
    expect(await listed()).toEqual([])
    await imports('zebra', { category: ' animals ' })
    await imports('blob_cat')
    await imports('ant', { category: 'animals' })
    const emojis = await listed()
    expect(emojis.map(({ shortcode }: { shortcode: string }) => shortcode)).toEqual(['ant', 'zebra', 'blob_cat'])
    const address = expect.stringMatching(new RegExp(`^${world.origin}/media/\\S+\\.png$`))
    expect(emojis[0]).toEqual({ shortcode: 'ant', url: address, static_url: address, visible_in_picker: true, category: 'animals' })
    expect(emojis[2]).not.toHaveProperty('category')
    expect(world.lastRequest.statements).toBe(1)
  })

  test('have a still picture beside one that moves', async () => {
    const { url, staticUrl } = await imports('parrot', { picture: MOVING })
    expect([url, staticUrl]).toEqual([expect.stringMatching(/\.gif$/), expect.stringMatching(/\.png$/)])
    for (const address of [url, staticUrl]) expect((await world.get(address)).status).toBe(200)
  })

  test('replace one of the same shortcode, and go without a trace for readers', async () => {
    const first = await imports('blob')
    const second = await imports('blob', { category: 'blobs' })
    expect(second.url).not.toBe(first.url)
    expect(await listed()).toMatchObject([{ shortcode: 'blob', url: second.url, category: 'blobs' }])
    await operator().remove(innerCall(), { shortcode: 'blob' })
    expect(await listed()).toEqual([])
    await expect(operator().remove(innerCall(), { shortcode: 'blob' })).rejects.toThrow('Record not found')
  })

  test('are kept when what no one shows is deleted', async () => {
    const { url } = await imports('keeper')
    await world.advance(8 * 86_400_000)
    await query(world, "select media_jobs.add_job('reap-attachments')")
    await world.advance(0)
    expect((await world.get(url)).status).toBe(200)
  })

  test.each([
    ['a', PICTURE, 'Shortcode must be 2 to 128 letters, digits or underscores'],
    ['blob-cat', PICTURE, 'Shortcode must be 2 to 128 letters, digits or underscores'],
    ['blöb', PICTURE, 'Shortcode must be 2 to 128 letters, digits or underscores'],
    ['x'.repeat(129), PICTURE, 'Shortcode must be 2 to 128 letters, digits or underscores'],
    ['empty', Buffer.alloc(0), "File can't be blank"],
    ['large', Buffer.alloc(262_145), 'File must be less than 256 KB'],
    ['photo', PHOTO, 'File content type is invalid'],
    ['broken', PICTURE.subarray(0, 40), 'File is invalid'],
  ])('cannot be imported as %s', async (shortcode, picture, fault) => {
    await expect(imports(shortcode, { picture })).rejects.toThrow(fault)
    expect(await listed()).toEqual([])
  })
})

describe('the emojis of texts', () => {
  const codes = ({ emojis }: { emojis: { shortcode: string }[] }) => emojis.map(({ shortcode }) => shortcode)

  test('stand with the status that holds them, in text, warning and poll, and stay when they are replaced or removed', async () => {
    const { mara, joel } = await world.cast('mara', 'joel')
    const { url } = await imports('blob', { category: 'blobs' })
    await imports('ant')
    const poll = { options: ['yes :cat:', 'no'], expires_in: 3600 }
    await imports('cat')
    const said = await mara.says('hello :blob: :unknown: at 10:30:45', { spoiler_text: ':ant: inside', poll })
    expect(codes(said)).toEqual(['ant', 'blob', 'cat'])
    expect(said.emojis[1]).toEqual({ shortcode: 'blob', url, static_url: url, visible_in_picker: true, category: 'blobs' })
    expect(said.content).toContain(':blob:')
    expect(codes(said.poll)).toEqual(['cat'])
    expect(codes((await world.get(`/api/v1/statuses/${said.id}`)).body.poll)).toEqual(['cat'])
    await imports('blob')
    await operator().remove(innerCall(), { shortcode: 'ant' })
    const read = (await joel.get(`/api/v1/statuses/${said.id}`)).body
    expect(read.emojis).toEqual(said.emojis)
    expect(codes(await mara.says('nothing here'))).toEqual([])
    expect(codes(await mara.says(':ant:'))).toEqual([])
  })

  test('follow an edit, and its history', async () => {
    const { editor } = await world.cast('editor')
    await imports('blob')
    await imports('cat')
    const said = await editor.says(':blob: first')
    const edited = await editor.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: ':cat: second' } })
    expect(codes(edited.body)).toEqual(['cat'])
    expect(codes((await world.get(`/api/v1/statuses/${said.id}`)).body)).toEqual(['cat'])
    expect((await world.get(`/api/v1/statuses/${said.id}/history`)).body.map(codes)).toEqual([['blob'], ['cat']])
  })

  test('stand with the account whose name, note or fields hold them, whichever of them is changed', async () => {
    const { artist } = await world.cast('artist')
    for (const shortcode of ['blob', 'cat', 'ant']) await imports(shortcode)
    const changes = async (body: Record<string, unknown>) =>
      codes((await artist.asks('PATCH', '/api/v1/accounts/update_credentials', { body })).body)
    expect(await changes({ display_name: 'Artist :blob:' })).toEqual(['blob'])
    expect(await changes({ note: 'I draw :cat:' })).toEqual(['blob', 'cat'])
    expect(await changes({ fields_attributes: [{ name: 'pet', value: ':ant:' }] })).toEqual(['blob', 'cat', 'ant'])
    expect(await changes({ display_name: 'Artist' })).toEqual(['cat', 'ant'])
    expect(await changes({ locked: true })).toEqual(['cat', 'ant'])
    expect(codes((await world.get(`/api/v1/accounts/${artist.id}`)).body)).toEqual(['cat', 'ant'])
    expect(codes((await artist.says('mine')).account)).toEqual(['cat', 'ant'])
  })

  test('cost one statement when a text may hold one, and none otherwise', async () => {
    const { thrifty } = await world.cast('thrifty')
    await thrifty.says('warm')
    await thrifty.says('plain')
    const plain = world.lastRequest.statements
    await thrifty.says(':one1: :two2: :three3:')
    expect(world.lastRequest.statements).toBe(plain + 1)
  })
})
