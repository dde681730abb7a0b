import { InboxDefinition } from '@rookery/contracts/notifications'
import {
  AccountsDefinition,
  CreateFilterRequest,
  DirectoryDefinition,
  FiltersDefinition,
  GraphDefinition,
  InteractionsDefinition,
  ListsDefinition,
  PublishRequest,
  ReportsDefinition,
  ScheduledDefinition,
  SearchDefinition,
  StatusesDefinition,
  SuggestionsDefinition,
  TimelinesDefinition,
  UpdateAccountRequest,
  ViewsDefinition,
} from '@rookery/contracts/statuses'
import type { Definition } from '@rookery/rpc'
import { type Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { query, saidLongAgo } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Limits hold for every caller: the services are called directly, not through the gateway.

let world: World
let mara: Person
let joel: Person
let statusIds: string[]
const calls = <D extends Definition>(definition: D) => innerClient(world, definition)

beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  statusIds = await saidLongAgo(world, mara, 60)
  await joel.follows(mara)
  // The follow rebuilds the home, which reads it.
  await world.idle()
  // More people than acts could create in time: each follows mara, favourites the first status, and mentions her.
  await query(
    world,
    `with people as (
       insert into statuses.account (id, username, is_active, created_at, discoverable, last_status_on, followers_count)
       select n, 'many' || n, true, now(), true, now(), 5 from generate_series(1001, 1100) n returning id),
     follows as (insert into statuses.follow (account_id, target_id, reblogs, notify, created_at) select id, $1, true, false, now() from people)
     insert into statuses.favourite (account_id, status_id) select id, $2 from people`,
    [mara.id, statusIds[0]],
  )
  await query(
    world,
    `insert into notifications.notification (recipient_id, type, actor_id, created_at)
     select $1, 'kind' || kind, actor, now() from generate_series(1, 11) kind, generate_series(1001, 1100) actor`,
    [mara.id],
  )
  await query(world, `insert into statuses.bookmark (account_id, status_id) select $1, id from unnest($2::bigint[]) id`, [
    joel.id,
    statusIds,
  ])
})
afterAll(() => world.close())

const EVERYTHING = { limit: 1_000_000 }

test.each<[string, number, () => Promise<{ length: number }>]>([
  ['an account’s statuses', 40, async () => (await calls(TimelinesDefinition).readAccount(innerCall(), accountPage())).items],
  ['home', 40, async () => (await calls(TimelinesDefinition).readHome(innerCall(), { viewerId: joel.id, page: EVERYTHING })).items],
  [
    'bookmarks',
    40,
    async () => (await calls(InteractionsDefinition).readBookmarks(innerCall(), { viewerId: joel.id, page: EVERYTHING })).items,
  ],
  [
    'followers',
    80,
    async () => (await calls(GraphDefinition).readFollowers(innerCall(), { accountId: mara.id, viewerId: '', page: EVERYTHING })).accounts,
  ],
  [
    'who favourited',
    80,
    async () =>
      (await calls(InteractionsDefinition).readFavouritedBy(innerCall(), { statusId: statusIds[0]!, viewerId: '', page: EVERYTHING }))
        .accounts,
  ],
  ['notifications', 30, async () => (await calls(InboxDefinition).list(innerCall(), inboxPage())).notifications],
  [
    'the directory',
    80,
    async () => (await calls(DirectoryDefinition).read(innerCall(), { viewerId: '', order: 2, ...EVERYTHING, offset: 0 })).accounts,
  ],
  [
    'suggestions',
    80,
    async () => (await calls(SuggestionsDefinition).read(innerCall(), { viewerId: joel.id, ...EVERYTHING, offset: 0 })).suggestions,
  ],
  ['accounts found', 80, async () => (await calls(SearchDefinition).find(innerCall(), search({ accounts: true }))).accounts],
  [
    'accounts found beside others',
    40,
    async () => (await calls(SearchDefinition).find(innerCall(), search({ accounts: true, tags: true }))).accounts,
  ],
])('%s: %i rows at most', async (_name, max, read) => {
  expect((await read()).length).toBe(max)
})

const accountPage = () => ({
  viewerId: '',
  accountId: mara.id,
  onlyMedia: undefined,
  excludeReplies: undefined,
  excludeReblogs: undefined,
  pinned: undefined,
  tagged: undefined,
  page: EVERYTHING,
})
const inboxPage = () => ({ viewerId: mara.id, types: [], hasTypes: false, excludeTypes: [], accountId: '', page: EVERYTHING })
const search = (kinds: { accounts?: boolean; tags?: boolean }) => ({
  viewerId: joel.id,
  text: 'many',
  accounts: false,
  statuses: false,
  tags: false,
  resolve: false,
  following: false,
  accountId: '',
  offset: 0,
  ...kinds,
  ...EVERYTHING,
})

test('unread notifications are counted to a thousand at most', async () => {
  const { count } = await calls(InboxDefinition).countUnread(innerCall(), { ...inboxPage(), limit: 2_000_000_000 })
  expect(count).toBe(1000)
})

test.each<[string, (ids: string[]) => Promise<unknown>]>([
  ['statuses', (ids) => calls(ViewsDefinition).readStatuses(innerCall(), { ids, viewerId: joel.id })],
  ['accounts', (ids) => calls(ViewsDefinition).readAccounts(innerCall(), { ids })],
  ['reports', (ids) => calls(ViewsDefinition).readReports(innerCall(), { ids, viewerId: joel.id })],
  [
    'visible accounts',
    (accountIds) => calls(ViewsDefinition).readVisible(innerCall(), { viewerId: joel.id, accountIds, statusIds: [], reportIds: [] }),
  ],
])('views of more than a thousand %s are asked for without success', async (_name, read) => {
  const ids = Array.from({ length: 1001 }, (_, index) => String(1001 + index))
  await expect(read(ids)).rejects.toThrow('No more than 1000 records can be asked for at once')
  await read(ids.slice(1))
})

test('more relationships than can be asked for are left out', async () => {
  const accountIds = [mara.id, ...Array.from({ length: 600 }, (_, index) => String(1001 + index))]
  const { relationships } = await calls(GraphDefinition).readRelationships(innerCall(), {
    viewerId: joel.id,
    accountIds,
    withSuspended: true,
  })
  expect(relationships.length).toBeLessThanOrEqual(500)
})

test.each<[string, () => Promise<unknown>]>([
  ['character limit of 500 exceeded', () => calls(StatusesDefinition).publish(innerCall(), publish({ text: 'x'.repeat(501) }))],
  [
    'Cannot attach more than 4 files',
    () => calls(StatusesDefinition).publish(innerCall(), publish({ mediaIds: ['1', '2', '3', '4', '5'] })),
  ],
  ['Display name is too long', () => calls(AccountsDefinition).update(innerCall(), profile({ displayName: 'x'.repeat(31) }))],
  ['Note is too long', () => calls(AccountsDefinition).update(innerCall(), profile({ note: 'x'.repeat(501) }))],
  [
    'Attribution domains are too many',
    () => calls(AccountsDefinition).update(innerCall(), profile({ attributionDomains: { domains: DOMAINS } })),
  ],
  [
    'Title is too long',
    () => calls(ListsDefinition).create(innerCall(), { viewerId: mara.id, title: 'x'.repeat(257), repliesPolicy: '', isExclusive: false }),
  ],
  ['Title is too long', () => calls(FiltersDefinition).create(innerCall(), filter({ title: 'x'.repeat(257) }))],
  [
    'Comment is too long',
    () => calls(GraphDefinition).writeNote(innerCall(), { viewerId: joel.id, accountId: mara.id, comment: 'x'.repeat(2001) }),
  ],
  ['Comment is too long', () => calls(ReportsDefinition).file(innerCall(), report('x'.repeat(1001)))],
])('a caller is refused: %s', async (fault, act) => {
  await expect(act()).rejects.toThrow(fault)
})

const DOMAINS = Array.from({ length: 11 }, (_, index) => `d${index}.example`)
const publish = (given: Partial<PublishRequest>) => PublishRequest.fromPartial({ authorId: mara.id, ...given })
const profile = (given: Partial<UpdateAccountRequest>) => UpdateAccountRequest.fromPartial({ accountId: mara.id, ...given })
const filter = (given: Partial<CreateFilterRequest>) =>
  CreateFilterRequest.fromPartial({ accountId: mara.id, contexts: ['home'], ...given })
const report = (comment: string) => ({ viewerId: joel.id, accountId: mara.id, statusIds: [], comment, category: '', ruleIds: [] })

test('another’s record is missing for every caller', async () => {
  const { id } = (await mara.post('/api/v1/lists', { title: 'mine' })).body
  await expect(calls(ListsDefinition).read(innerCall(), { id, viewerId: joel.id })).rejects.toThrow('Record not found')
  const scheduled_at = new Date(world.clock.now() + 3_600_000).toISOString()
  const waiting = await mara.says('later', { scheduled_at })
  await expect(calls(ScheduledDefinition).read(innerCall(), { id: waiting.id, viewerId: joel.id })).rejects.toThrow('Record not found')
})
