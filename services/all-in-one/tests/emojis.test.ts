import { EmojiOperatorDefinition } from '@rookery/contracts/statuses'
import { link } from '@rookery/rpc'
import { World } from '@rookery/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { query } from './look.ts'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())
afterEach(async () => {
  for (const { shortcode } of (await operator().list(call(), {})).emojis) await operator().remove(call(), { shortcode })
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

const call = () => ({ deadline: Date.now() + 30_000, signal: new AbortController().signal, trace: 'test' })
const operator = () => {
  const served = world.rookery.operator.find(({ definition }) => definition.fullName === EmojiOperatorDefinition.fullName)
  return link(EmojiOperatorDefinition, served!)
}
const imports = (shortcode: string, { picture = PICTURE, category = '' } = {}) =>
  operator().import(call(), { shortcode, category, picture })
const listed = async () => (await world.get('/api/v1/custom_emojis')).body

describe('the server’s own emojis', () => {
  test('are shown to anybody, by category and shortcode', async () => {
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
    await operator().remove(call(), { shortcode: 'blob' })
    expect(await listed()).toEqual([])
    await expect(operator().remove(call(), { shortcode: 'blob' })).rejects.toThrow('Record not found')
  })

  test('are kept when what nobody shows is deleted', async () => {
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
