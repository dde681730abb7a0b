import { FederationOperatorDefinition } from '@rookery/contracts/federation'
import { EmojiOperatorDefinition } from '@rookery/contracts/statuses'
import type { Person, World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { signIn } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { followsElsewhere, inHome, openServers } from './two-servers.ts'

// Remote emojis on the pages of staff: by domain, from the posts and profiles that used them.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

let servers: Awaited<ReturnType<typeof openServers>>
let here: World
let there: World
let mara: Person
let ann: Person
let olga: Person
let domain: string

const operator = (world: World) => operatorClient(world, EmojiOperatorDefinition)
const byDomain = (one: string, other: string) => one.split(' ')[1]!.localeCompare(other.split(' ')[1]!)
const listed = async (of = '') => {
  const { emojis } = await operator(here).listRemote(innerCall(), { domain: of })
  return emojis.map((emoji) => `${emoji.shortcode} ${emoji.domain}`)
}
const usable = async (): Promise<string[]> =>
  (await here.get('/api/v1/custom_emojis')).body.map(({ shortcode }: { shortcode: string }) => shortcode)

beforeAll(async () => {
  servers = await openServers()
  ;({ here, there } = servers)
  ;({ mara } = await here.cast('mara'))
  ;({ ann } = await there.cast('ann'))
  olga = await here.owner('olga')
  domain = new URL(there.address).host
  await followsElsewhere(mara, servers.handle(there, ann))
  await servers.idle()
})
afterAll(() => servers?.close())

test('emojis that came with posts and profiles are listed under their domain, once', async () => {
  for (const shortcode of ['wren', 'robin']) await operator(there).import(innerCall(), { shortcode, category: '', picture: PIXEL })
  await ann.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Ann :robin:' } })
  const status = await ann.says('a :wren: and :nothing:')
  await servers.idle()
  expect((await inHome(mara, status.uri)).emojis).toHaveLength(1)
  expect(await listed()).toEqual([`robin ${domain}`, `wren ${domain}`])
  await ann.says('again a :wren:')
  await servers.idle()
  expect(await listed(domain.toUpperCase())).toEqual([`robin ${domain}`, `wren ${domain}`])
  expect(await listed('elsewhere.example')).toEqual([])
  expect(await usable()).toEqual([])
})

test('a server with as many as are kept adds none, and changes those that are known', async () => {
  const filled = `insert into statuses.remote_emoji (domain, shortcode, remote_url, url, static_url)
    select $1, 'filler' || number, '', '', '' from generate_series(1, 2000) number`
  const pictures = async () =>
    (await query(here, `select url from statuses.remote_emoji where shortcode in ('wren', 'owl')`, [])).map(({ url }) => url)
  const [known] = await pictures()
  await query(here, filled, [domain])
  const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  for (const shortcode of ['wren', 'owl']) await operator(there).import(innerCall(), { shortcode, category: '', picture })
  await ann.says('a :wren: and an :owl:')
  await servers.idle()
  const [changed, ...added] = await pictures()
  expect([changed === known, added]).toEqual([false, []])
  await query(here, `delete from statuses.remote_emoji where shortcode ^@ 'filler'`, [])
})

test('one is copied, with its picture, and is used here then', async () => {
  const copied = await operator(here).copyRemote(innerCall(), { domain, shortcode: 'wren', category: 'birds' })
  expect(copied).toMatchObject({ shortcode: 'wren', category: 'birds', url: expect.not.stringContaining('/remote/') })
  expect((await fetch(copied.url.replace(here.address, here.origin))).status).toBe(200)
  expect((await mara.says('my own :wren:')).emojis).toMatchObject([{ shortcode: 'wren', url: copied.url }])
  await expect(operator(here).copyRemote(innerCall(), { domain, shortcode: 'wren' })).rejects.toThrow('Shortcode has already been taken')
  await expect(operator(here).copyRemote(innerCall(), { domain, shortcode: 'owl' })).rejects.toMatchObject({ kind: 'not_found' })
})

test('one of this server is disabled and enabled again; what was written with it keeps it', async () => {
  const before = await mara.says('before :wren:')
  await operator(here).setDisabled(innerCall(), { shortcode: 'wren', isDisabled: true })
  expect(await usable()).toEqual([])
  expect((await mara.says('while :wren:')).emojis).toEqual([])
  expect((await mara.get(`/api/v1/statuses/${before.id}`)).body.emojis).toHaveLength(1)
  await operator(here).setDisabled(innerCall(), { shortcode: 'wren', isDisabled: false })
  expect(await usable()).toEqual(['wren'])
  expect((await mara.says('after :wren:')).emojis).toHaveLength(1)
})

test('staff see them on a page, by domain, and copy and remove them there', async () => {
  const inside = await signIn(here, { username: 'olga' })
  const page = await inside.go(`/admin/emojis/remote?domain=${encodeURIComponent(domain)}`)
  expect(page.text).toContain(':robin:')
  expect(page.text).toContain(`<em class="mark">${domain}</em>`)
  const copied = await inside.submit(page, { new_shortcode: 'redbreast' }, 'value="copy"')
  expect(copied.text).toContain('Added.')
  expect(await usable()).toContain('redbreast')
  const removed = await inside.submit(copied, {}, 'value="remove"')
  expect(removed.text).toContain('Removed.')
  expect(await listed()).toEqual([`wren ${domain}`])
  expect((await inside.go('/admin/emojis/remote?domain=elsewhere.example')).text).not.toContain(':wren:')
})

test('those of a server whose media are rejected are not shown, and not copied', async () => {
  const block = { domain: new URL(there.address).hostname, severity: 'noop', reject_media: true }
  const { body } = await olga.post('/api/v1/admin/domain_blocks', block)
  await servers.idle()
  expect(await listed()).toEqual([])
  await expect(operator(here).copyRemote(innerCall(), { domain, shortcode: 'wren', newShortcode: 'other' })).rejects.toMatchObject({
    kind: 'not_found',
  })
  await olga.asks('DELETE', `/api/v1/admin/domain_blocks/${body.id}`)
  await servers.idle()
  expect(await listed()).toEqual([`wren ${domain}`])
})

test('a server that is purged leaves none of them, and others keep theirs', async () => {
  const others = ['sub.purged.example', 'not-purged.example', 'purged.example:3000', 'purged.example']
  const columns = '(domain, shortcode, remote_url, url, static_url)'
  for (const each of others) await query(here, `insert into statuses.remote_emoji ${columns} values ($1, 'owl', 'r', 'u', 's')`, [each])
  const purge = operatorClient(here, FederationOperatorDefinition)
  while ((await purge.purge(innerCall(), { domain: 'purged.example' })).count > 0);
  expect(await listed()).toEqual([`wren ${domain}`, 'owl not-purged.example'].sort(byDomain))
  while ((await purge.purge(innerCall(), { domain: new URL(there.address).hostname })).count > 0);
  expect(await listed()).toEqual(['owl not-purged.example'])
})
