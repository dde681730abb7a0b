import { endpoints } from '@rookery/gateway'
import type { Answer, Person } from '@rookery/test-world'
import { linksOf } from '@rookery/test-world/queries'
import { type Random, randomFrom } from '@rookery/test-world/random'
import { walksOf } from '@rookery/test-world/walks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FilledLists, LISTS, openFilledLists, PAGE } from './filled-lists.ts'

// Every list says the same by pages of any size, downwards and upwards, also past people whom staff suspended (spec, Pagination conventions;
// beyond-the-spec 1.6). `WALK_SEED=7` acts from another seed, `WALK_ROUNDS=500` acts more.

const { seeds, rounds } = walksOf([1], 220)
const SEED = seeds[0]!
const CROWD = ['ada', 'bea', 'cyd', 'dov', 'eli', 'fay', 'gil', 'hal']

/** Who acts next, Mara, a status of hers and one of theirs, and a number that no act had before. */
type Stage = { someone: Person; mara: Person; said: string; latest: string; list: string; number: number }
type Act = (stage: Stage) => Promise<Answer>

/** What the crowd and Mara do: each leaves an entry on lists that Mara reads. */
const ACTS: readonly Act[] = [
  ({ someone, mara }) => someone.post(`/api/v1/accounts/${mara.id}/follow`),
  ({ someone, mara }) => mara.post(`/api/v1/follow_requests/${someone.id}/authorize`),
  ({ someone, said }) => someone.post(`/api/v1/statuses/${said}/favourite`),
  ({ someone, said }) => someone.post(`/api/v1/statuses/${said}/reblog`),
  ({ someone, said }) => someone.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: said }),
  ({ someone }) => someone.post('/api/v1/statuses', { status: '@mara psst', visibility: 'direct' }),
  ({ someone }) => someone.post('/api/v1/statuses', { status: `#tea at ${PAGE}` }),
  ({ someone, mara, number }) => [someone, mara][number % 2]!.post('/api/v1/statuses', { status: `#tea${number}` }),
  ({ someone, mara }) => someone.post('/api/v1/reports', { account_id: mara.id }),
  ({ someone, mara }) => mara.post(`/api/v1/accounts/${someone.id}/follow`),
  ({ someone, mara }) => mara.post(`/api/v1/accounts/${someone.id}/endorse`),
  ({ someone, mara, list }) => mara.post(list, { account_ids: [someone.id] }),
  ({ someone, mara }) => mara.post(`/api/v1/accounts/${someone.id}/mute`),
  ({ someone, mara }) => mara.post(`/api/v1/accounts/${someone.id}/unmute`),
  ({ mara, latest }) => mara.post(`/api/v1/statuses/${latest}/favourite`),
  ({ mara, latest }) => mara.post(`/api/v1/statuses/${latest}/bookmark`),
  ({ mara, number }) => mara.post(`/api/v1/tags/tea${number}/follow`),
  ({ mara, number }) => mara.post('/api/v1/domain_blocks', { domain: `coffee${number}.example` }),
  ({ mara }) => mara.post('/api/v1/statuses', { status: 'later', scheduled_at: '2099-01-01T00:00:00Z' }),
  ({ mara, number }) => mara.post('/api/v1/admin/ip_blocks', { ip: `192.0.2.${number % 256}`, severity: 'sign_up_block' }),
  ({ mara, number }) => mara.post('/api/v1/admin/canonical_email_blocks', { email: `tea${number}@example.org` }),
  ...['domain_blocks', 'domain_allows', 'email_domain_blocks'].map(
    (kind): Act =>
      ({ mara, number }) =>
        mara.post(`/api/v1/admin/${kind}`, { domain: `tea${number}.example` }),
  ),
]

let random: Random
let lists: FilledLists
const log: string[] = []
beforeAll(async () => {
  random = randomFrom(SEED)
  lists = await openFilledLists()
  const { world, mara } = lists
  const crowd = Object.values(await world.cast(...CROWD))
  const partOf = (path: string) => lists.addressOf(path).split('?')[0]!
  const said = partOf('/api/v1/statuses/:id/quotes').split('/')[4]!
  const list = partOf('/api/v1/lists/:id/accounts')
  let latest = said
  for (let number = 0; number < rounds; number++) {
    const [act, someone] = [random.of(ACTS), random.of(crowd)]
    const { status, body } = await act({ someone, mara, said, latest, list, number })
    log.push(`${someone.username}: ${act} ${status}`)
    if (status === 200 && body.visibility === 'public') latest = body.id
  }
  await world.idle()
  for (const { id } of crowd.slice(0, 3)) await mara.post(`/api/v1/admin/accounts/${id}/action`, { type: 'suspend' })
  await mara.post(`/api/v1/accounts/${crowd[3]!.id}/block`)
  await world.idle()
}, 120_000)
afterAll(() => lists.world.close())

/** The lists that are read by cursors. A search names none in links. */
const PAGED = LISTS.filter((path) => path !== '/api/v2/search').filter((path) =>
  endpoints.some((endpoint) => endpoint.method === 'GET' && endpoint.path === path && endpoint.parameters.has('max_id')),
)

/** A page: what is on it, each as a text, and where its links lead. */
type Page = { items: string[]; next: string | undefined; newer: { name: string; value: string } | undefined }

const read = async (path: string, query: string): Promise<Page> => {
  const answer = await lists.mara.get(`${lists.addressOf(path)}&${query}`)
  expect(answer.status, `${path}?${query}`).toBe(200)
  const items = answer.body.notification_groups ?? answer.body
  const { next, prev } = linksOf(answer)
  const [name, value] = [...new URL(prev ?? 'none:').searchParams].find(([key]) => key.endsWith('_id') && key !== 'list_id') ?? []
  return {
    items: items.map((item: { id?: string; group_key?: string; name?: string }) => item.id ?? item.group_key ?? item.name ?? item),
    next: next && `max_id=${new URL(next).searchParams.get('max_id')}`,
    newer: name && value ? { name, value } : undefined,
  }
}

/** The pages from the newest on, by the links. */
const downwards = async (path: string, limit: number): Promise<Page[]> => {
  const pages = [await read(path, `limit=${limit}`)]
  for (let next = pages[0]!.next; next && pages.length < 500; next = pages.at(-1)!.next)
    pages.push(await read(path, `limit=${limit}&${next}`))
  return pages
}

/** The pages from the oldest on, each immediately above the one before. */
const upwards = async (path: string, limit: number): Promise<Page[]> => {
  const pages = [await read(path, `limit=${limit}&min_id=0`)]
  for (let newer = pages[0]!.newer; newer && pages.length < 500; newer = pages.at(-1)!.newer)
    pages.push(await read(path, `limit=${limit}&min_id=${newer.value}`))
  return pages
}

const itemsOf = (pages: readonly Page[]) => pages.flatMap(({ items }) => items)
/** The numbers of entries of the pages, without the empty one at the end. */
const sizesOf = (pages: readonly Page[]) => pages.map(({ items }) => items.length).slice(0, pages.at(-1)!.items.length > 0 ? undefined : -1)
const why = () => `${log.slice(-20).join('\n')}\nthe seed is ${SEED}`

describe.each(PAGED)('%s', (path) => {
  test('is the same by pages of any size, none of which is empty or short before the end', async () => {
    const whole = itemsOf(await downwards(path, 1000))
    expect(new Set(whole).size, why()).toBe(whole.length)
    for (const limit of [1, 2, random.of([3, 4, 5, 7])]) {
      const [down, up] = [await downwards(path, limit), await upwards(path, limit)]
      expect([itemsOf(down), itemsOf(up.toReversed())], why()).toEqual([whole, whole])
      for (const sizes of [sizesOf(down), sizesOf(up)])
        expect(
          sizes.slice(0, -1).every((size) => size === limit),
          `${sizes} ${why()}`,
        ).toBe(true)
    }
  })

  test('has above each page what is newer: since_id the newest of it, min_id what is next', async () => {
    const [limit, whole] = [random.of([1, 2, 3]), itemsOf(await downwards(path, 1000))]
    for (const { items, newer } of await downwards(path, limit)) {
      if (!newer) continue
      const above = whole.slice(0, whole.indexOf(items[0]!))
      expect((await read(path, `limit=${limit}&since_id=${newer.value}`)).items, why()).toEqual(above.slice(0, limit))
      expect((await read(path, `limit=${limit}&min_id=${newer.value}`)).items, why()).toEqual(above.slice(-limit))
      expect(['min_id', 'since_id']).toContain(newer.name)
    }
  })
})
