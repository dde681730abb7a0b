import { inflateRawSync } from 'node:zlib'
import { type Person, World } from '@rookery/test-world'
import { browser, signIn } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Exports of a person's data: files that other servers and people can read.

let world: World
let mara: Person
let joel: Person
let nadia: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel, nadia } = await world.cast('mara', 'joel', 'nadia'))
})
afterAll(() => world.close())

const host = () => new URL(world.origin).host

/** Downloads a file as a signed-in browser. */
const download = async (person: Person, name: string) => {
  const visitor = await signIn(world, person)
  const page = await visitor.visit('/auth/account/data')
  expect(page.text).toContain(`href="/auth/account/data/${name}"`)
  const cookie = `rookery_session=${visitor.cookie('rookery_session')}; rookery_session.sig=${visitor.cookie('rookery_session.sig')}`
  const response = await fetch(new URL(`/auth/account/data/${name}`, world.origin), { headers: { cookie } })
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename=${name}`)
  return Buffer.from(await response.arrayBuffer())
}

/** The files of a zip by name, from its central directory. */
const unzip = (bytes: Buffer): Record<string, string> => {
  const files: Record<string, string> = {}
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06'))
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, extra, comment] = [20, 28, 30, 32].map((offset) =>
      offset === 20 ? bytes.readUInt32LE(at + 20) : bytes.readUInt16LE(at + offset),
    )
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength!)
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    files[name] = inflateRawSync(bytes.subarray(start, start + size!)).toString()
    at += 46 + nameLength! + extra! + comment!
  }
  return files
}

describe('lists to take along', () => {
  test('are files as other servers write and read them', async () => {
    await mara.follows(joel, { reblogs: false, notify: true, languages: ['de', 'en'] })
    await mara.follows(nadia)
    const list = (await mara.post('/api/v1/lists', { title: 'Tea, and "cake"' })).body
    await mara.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [joel.id] })
    const said = await nadia.says('hello')
    await mara.reacts('bookmark', said)
    await joel.does('block', nadia)
    await joel.does('mute', mara, { notifications: false })
    expect(String(await download(mara, 'following_accounts.csv'))).toBe(
      `Account address,Show boosts,Notify on new posts,Languages\njoel@${host()},false,true,"de, en"\nnadia@${host()},true,false,\n`,
    )
    expect(String(await download(mara, 'lists.csv'))).toBe(`"Tea, and ""cake""",joel@${host()}\n`)
    expect(String(await download(mara, 'bookmarks.csv'))).toBe(`${said.uri}\n`)
    expect(String(await download(mara, 'blocked_accounts.csv'))).toBe('')
    expect(String(await download(joel, 'blocked_accounts.csv'))).toBe(`nadia@${host()}\n`)
    expect(String(await download(joel, 'muted_accounts.csv'))).toBe(`Account address,Hide notifications\nmara@${host()},false\n`)
  })

  test('are whole, however long: each thousand is one call and one statement', async () => {
    const [{ id }] = await query(world, 'select max(id) as id from statuses.account')
    await query(
      world,
      `insert into statuses.account (id, username, is_active, created_at) select $1::bigint + n, 'many_' || n, true, now() from generate_series(1, 2500) n`,
      [id],
    )
    await query(
      world,
      `insert into statuses.block (account_id, target_id, created_at) select $2, $1::bigint + n, now() from generate_series(1, 2500) n order by n`,
      [id, nadia.id],
    )
    const lines = String(await download(nadia, 'blocked_accounts.csv'))
      .trimEnd()
      .split('\n')
    expect(lines).toEqual(Array.from({ length: 2500 }, (_, index) => `many_${index + 1}@${host()}`))
    expect(world.lastRequest.statements).toBeLessThan(10)
  })

  test('are no one else’s', async () => {
    const anyone = await browser(world).go('/auth/account/data/lists.csv')
    expect(anyone).toMatchObject({ status: 303, location: '/auth/sign_in?lang=en' })
    expect((await (await signIn(world, mara)).go('/auth/account/data/passwords.csv')).status).toBe(404)
  })
})

describe('the archive', () => {
  test('holds all that someone posted, what it showed, and every list', async () => {
    const odile = await world.person('odile')
    const said = [await odile.says('first'), await odile.says('only for followers', { visibility: 'private' })]
    for (let number = 0; number < 50; number++) said.push(await odile.says(`post ${number}`))
    await odile.reacts('reblog', said[0]!)
    const files = unzip(await download(odile, 'archive.zip'))
    expect(Object.keys(files)).toEqual([
      'profile.json',
      'statuses.json',
      'media.csv',
      'following_accounts.csv',
      'blocked_accounts.csv',
      'muted_accounts.csv',
      'lists.csv',
      'bookmarks.csv',
      'blocked_domains.csv',
    ])
    expect(JSON.parse(files['profile.json']!)).toMatchObject({ id: odile.id, username: 'odile', statuses_count: 53 })
    const statuses: { id: string; reblog: { id: string } | null; visibility: string }[] = JSON.parse(files['statuses.json']!)
    expect(statuses).toHaveLength(53)
    expect(statuses[0]?.reblog?.id).toBe(said[0]?.id)
    expect(statuses.slice(1).map(({ id }) => id)).toEqual(said.map(({ id }) => id).reverse())
    expect(files['media.csv']).toBe('Post,Type,Address,Description\n')
  })

  test('names the files that posts show', async () => {
    const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    const form = new FormData()
    form.set('file', new Blob([pixel], { type: 'image/png' }), 'dot.png')
    form.set('description', 'a dot, alone')
    const { body: media } = await joel.post('/api/v2/media', form)
    const said = await joel.says('look', { media_ids: [media.id] })
    const files = unzip(await download(joel, 'archive.zip'))
    expect(files['media.csv']).toBe(`Post,Type,Address,Description\n${said.uri},image,${media.url},"a dot, alone"\n`)
  })
})
