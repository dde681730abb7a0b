import { endpoints } from '@rookery/gateway'
import { type Person, World } from '@rookery/test-world'
import { query, runJob, STORED_CARD } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// limit=0 is an empty page, but where it is documented to be everything (beyond-the-spec 0.1; spec, Page sizes).

let world: World
let mara: Person
/** A page that people link to. */
const PAGE = 'https://tea.example/'
/** What stands in the place of path parameters. */
const records: Record<string, string> = { hashtag: 'tea' }
beforeAll(async () => {
  world = await World.open({ settings: { TRENDS_MIN_ACCOUNTS: '2' } })
  mara = await world.owner('mara')
  const { joel, noor, ines, omar } = await world.cast('joel', 'noor', 'ines', 'omar', 'teapot')
  for (const [one, other] of [
    [mara, joel],
    [joel, mara],
    [joel, noor],
  ] as const)
    await one.follows(other)
  await noor.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { discoverable: true } })
  await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
  await omar.follows(mara)
  await world.idle()
  for (const person of [joel, noor]) await person.says(`#tea at ${PAGE}`)
  const said = await mara.says('tea #tea', { visibility: 'public' })
  for (const person of [mara, joel]) for (const act of ['favourite', 'reblog', 'bookmark']) await person.reacts(act, said)
  await joel.says('quoted', { quoted_status_id: said.id })
  // From someone she does not follow, it waits as a request.
  for (const person of [joel, noor]) await person.says('@mara psst', { visibility: 'direct' })
  await joel.says('tea?')
  await mara.does('endorse', joel)
  await mara.post('/api/v1/tags/tea/follow')
  await mara.says('later', { scheduled_at: new Date(world.clock.now() + 3_600_000).toISOString() })
  await mara.post('/api/v1/domain_blocks', { domain: 'coffee.example' })
  for (const act of ['block', 'mute']) await mara.does(act, ines)
  await mara.post('/api/v1/admin/canonical_email_blocks', { email: 'tea@example.org' })
  await mara.post('/api/v1/admin/email_domain_blocks', { domain: 'tea.example' })
  await mara.post('/api/v1/admin/ip_blocks', { ip: '192.0.2.1', severity: 'sign_up_block' })
  for (const kind of ['blocks', 'allows']) await mara.post(`/api/v1/admin/domain_${kind}`, { domain: 'tea.example' })
  await joel.post('/api/v1/reports', { account_id: noor.id })
  const list = (await mara.post('/api/v1/lists', { title: 'tea' })).body
  await mara.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [joel.id] })
  await joel.says('tea for the list')
  await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { discoverable: true } })
  await noor.reacts('favourite', said)
  await world.idle()
  await query(world, 'update statuses.preview_card set card = $1', [JSON.stringify(STORED_CARD)])
  await runJob(world, 'update-trends')
  const [{ group_key }] = (await mara.get('/api/v2/notifications?types[]=favourite')).body.notification_groups
  Object.assign(records, { list_id: list.id, status: said.id, account: mara.id, group_key })
})
afterAll(() => world.close())

/** Those that give everything for limit=0. */
const WHOLE = ['/api/v1/lists/:id/accounts', '/api/v1/endorsements', '/api/v1/accounts/:id/endorsements']
const LISTS = endpoints.filter(({ method, parameters }) => method === 'GET' && parameters.has('limit')).map(({ path }) => path)

const recordOf = (path: string, name: string): string => {
  if (name !== 'id') return records[name]!
  if (path.startsWith('/api/v1/lists/')) return records['list_id']!
  return records[path.startsWith('/api/v1/statuses/') ? 'status' : 'account']!
}
const read = (path: string, limit: number) =>
  mara.get(`${path.replace(/:(\w+)/g, (_, name: string) => recordOf(path, name))}?q=tea&url=${encodeURIComponent(PAGE)}&limit=${limit}`)
/** How much an answer holds: the items of a list, of all lists of a search, or a count. */
const sizeOf = (body: object): number => {
  if (Array.isArray(body)) return body.length
  return Object.values(body).reduce((sum: number, part) => sum + (Array.isArray(part) ? part.length : Number(part)), 0)
}

describe('a limit of 0', () => {
  test.each(LISTS.filter((path) => !WHOLE.includes(path)))('is an empty page without links: %s', async (path) => {
    const one = await read(path, 1)
    expect({ status: one.status, isFilled: sizeOf(one.body) > 0 }).toEqual({ status: 200, isFilled: true })
    const none = await read(path, 0)
    expect({ status: none.status, size: sizeOf(none.body), link: none.headers.get('link') }).toEqual({ status: 200, size: 0, link: null })
  })

  test.each(WHOLE)('is everything on one page: %s', async (path) => {
    const whole = await read(path, 0)
    expect({ status: whole.status, size: whole.body.length, link: whole.headers.get('link') }).toEqual({ status: 200, size: 1, link: null })
  })
})
