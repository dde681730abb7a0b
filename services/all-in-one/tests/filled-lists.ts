import { endpoints } from '@rookery/gateway'
import { type Person, World } from '@rookery/test-world'
import { query, runJob, STORED_CARD } from '@rookery/test-world/queries'

/** The page that statuses link to. */
export const PAGE = 'https://tea.example/'

/** The paths of all lists, as their endpoints declare them. */
export const LISTS: readonly string[] = endpoints
  .filter(({ method, parameters }) => method === 'GET' && parameters.has('limit'))
  .map(({ path }) => path)

/** A world in which each of these lists has entries for Mara, an owner of the server. */
export type FilledLists = {
  readonly world: World
  readonly mara: Person
  /** The URL of a list, with its path and required parameters filled in. */
  addressOf(path: string): string
}

/** The value of a path parameter. */
const recordOf = (records: Record<string, string>, path: string, name: string): string => {
  if (name !== 'id') return records[name]!
  if (path.startsWith('/api/v1/lists/')) return records['list_id']!
  return records[path.startsWith('/api/v1/statuses/') ? 'status' : 'account']!
}

/** Opens the world. */
export const openFilledLists = async (): Promise<FilledLists> => {
  const world = await World.open({ settings: { TRENDS_MIN_ACCOUNTS: '2' } })
  const mara = await world.owner('mara')
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
  // From someone she does not follow, it becomes a request.
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
  const records = { hashtag: 'tea', list_id: list.id, status: said.id, account: mara.id, group_key }
  const filled = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => recordOf(records, path, name))
  return { world, mara, addressOf: (path) => `${filled(path)}?q=tea&url=${encodeURIComponent(PAGE)}` }
}
