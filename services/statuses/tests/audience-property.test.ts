import { cachePool } from '@rookery/cache'
import { Visibility } from '@rookery/contracts/statuses'
import { type Database, openDatabase } from '@rookery/database'
import { startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import { migrateServices } from '@rookery/test-world/schemas'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  accountsHiddenFrom,
  blocks,
  isHiddenByViewer,
  isKeptFrom,
  isKeptFromReader,
  isShown,
  isVisibleTo,
  type JudgedStatus,
  type Judgement,
  mayNotify,
  readersKeptApart,
  viewersKeptFrom,
} from '../src/audience/index.ts'
import { type StatusesTables, schema } from '../src/module.ts'
import { readAudience } from '../src/posts/outgoing/index.ts'
import { commonSkeletonStatement, createViews, type Viewer } from '../src/views/index.ts'

const NOW = new Date('2026-05-01T12:00:00.000Z')
const PEOPLE = ['1', '2', '3', '4', '5', '6']
/** Of other servers, on random graphs. */
const DOMAINS: Readonly<Record<string, string>> = { 5: 'near.example', 6: 'far.example' }
const LOCAL = PEOPLE.filter((id) => !DOMAINS[id])
const FIRST_STATUS = 100

type Mute = { from: string; to: string; notifications: boolean; ends: Date | null }
type Pair = { from: string; to: string }
type Post = { author: string; visibility: Visibility; mentions: string[]; boosts: number | undefined }
type Graph = {
  silenced: string[]
  suspended: string[]
  follows: Pair[]
  blocks: Pair[]
  /** From people of this server, to domains. */
  domainBlocks: Pair[]
  mutes: Mute[]
  posts: Post[]
}

const person = fc.constantFrom(...PEOPLE)
const pair = fc.record({ from: person, to: person }).filter(({ from, to }) => from !== to)
const pairs = (max: number) => fc.uniqueArray(pair, { maxLength: max, selector: ({ from, to }) => `${from} ${to}` })
const domainBlock = fc.record({ from: fc.constantFrom(...LOCAL), to: fc.constantFrom(...Object.values(DOMAINS)) })
const ends = fc.constantFrom(null, new Date(NOW.getTime() + 1000), new Date(NOW.getTime() - 1000), NOW)
const mute = fc.tuple(pair, fc.boolean(), ends).map(([ofPair, notifications, end]) => ({ ...ofPair, notifications, ends: end }))
const post = fc.record({
  author: person,
  visibility: fc.constantFrom(Visibility.PUBLIC, Visibility.UNLISTED, Visibility.PRIVATE, Visibility.DIRECT),
  mentions: fc.uniqueArray(person, { maxLength: 2 }),
  boosts: fc.option(fc.nat(5), { nil: undefined, freq: 3 }),
})
const graphs: fc.Arbitrary<Graph> = fc.record({
  silenced: fc.uniqueArray(person, { maxLength: 1 }),
  suspended: fc.uniqueArray(person, { maxLength: 1 }),
  follows: pairs(12),
  blocks: pairs(4),
  domainBlocks: fc.uniqueArray(domainBlock, { maxLength: 3, selector: ({ from, to }) => `${from} ${to}` }),
  mutes: fc.uniqueArray(mute, { maxLength: 6, selector: ({ from, to }) => `${from} ${to}` }),
  posts: fc.array(post, { minLength: 6, maxLength: 14 }),
})

/** Boosts are of earlier posts that are no boosts; another by the same person would be the same boost. */
const statusesOf = ({ posts, silenced, suspended }: Graph): JudgedStatus[] => {
  const statuses: JudgedStatus[] = []
  const boosted = new Set<string>()
  posts.forEach(({ author, visibility, boosts }, index) => {
    const original = boosts === undefined || boosts >= index ? undefined : statuses[boosts]
    const key = `${author} ${original?.id}`
    const isBoost = original !== undefined && original.reblogOfId === undefined && !boosted.has(key)
    if (isBoost) boosted.add(key)
    statuses.push({
      id: String(FIRST_STATUS + index),
      authorId: author,
      visibility,
      reblogOfId: isBoost ? original.id : undefined,
      authorDomain: DOMAINS[author],
      isAuthorSilenced: silenced.includes(author),
      isAuthorSuspended: suspended.includes(author),
    })
  })
  return statuses
}

/** A statement that stores rows of a graph, its values by place. */
const storing =
  (text: string) =>
  ({ pool }: Database<StatusesTables>, values: readonly unknown[]) =>
    pool.query(text, [...values])

const STORE = {
  accounts: storing(
    `insert into account (id, username, is_active, created_at, is_silenced, is_suspended, domain, uri)
     select id, 'person' || id, true, $2, id = any($3::bigint[]), id = any($4::bigint[]), d, 'https://' || d || '/' || id
     from unnest($1::bigint[], $5::text[]) as person (id, d)`,
  ),
  follows: storing(
    `insert into follow (account_id, target_id, reblogs, notify, created_at)
     select f, t, true, false, $3 from unnest($1::bigint[], $2::bigint[]) as pair (f, t)`,
  ),
  blocks: storing(
    'insert into block (account_id, target_id, created_at) select f, t, $3 from unnest($1::bigint[], $2::bigint[]) as pair (f, t)',
  ),
  domainBlocks: storing(
    'insert into domain_block (account_id, domain, created_at) select f, t, $3 from unnest($1::bigint[], $2::text[]) as pair (f, t)',
  ),
  mutes: storing(
    `insert into mute (account_id, target_id, notifications, expires_at, created_at)
     select f, t, n, e, $5 from unnest($1::bigint[], $2::bigint[], $3::boolean[], $4::timestamptz[]) as pair (f, t, n, e)`,
  ),
  heads: storing(
    `insert into status_head (id, author_id, visibility, reblog_of_id, thread_id, is_listed, is_reply_to_other, has_media)
     select id, a, v, r, coalesce(r, id), false, false, false
     from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::bigint[]) as head (id, a, v, r)`,
  ),
  mentions: storing('insert into mention (status_id, account_id) select s, a from unnest($1::bigint[], $2::bigint[]) as pair (s, a)'),
}

const keep = async (database: Database<StatusesTables>, graph: Graph, statuses: readonly JudgedStatus[]) => {
  await database.pool.query('truncate account, status_head, mention, follow, block, domain_block, mute cascade')
  await STORE.accounts(database, [PEOPLE, NOW, graph.silenced, graph.suspended, PEOPLE.map((id) => DOMAINS[id] ?? null)])
  const columns = (some: readonly Pair[]) => [some.map(({ from }) => from), some.map(({ to }) => to)]
  await STORE.follows(database, [...columns(graph.follows), NOW])
  await STORE.blocks(database, [...columns(graph.blocks), NOW])
  await STORE.domainBlocks(database, [...columns(graph.domainBlocks), NOW])
  const { mutes } = graph
  await STORE.mutes(database, [...columns(mutes), mutes.map((each) => each.notifications), mutes.map((each) => each.ends), NOW])
  await STORE.heads(database, [
    statuses.map(({ id }) => id),
    statuses.map(({ authorId }) => authorId),
    statuses.map(({ visibility }) => visibility),
    statuses.map(({ reblogOfId }) => reblogOfId ?? null),
  ])
  const mentions = statuses.flatMap(({ id }, index) => graph.posts[index]!.mentions.map((account) => ({ from: id, to: account })))
  await STORE.mentions(database, columns(mentions))
}

/** Something to show of each status. */
const bodies = storing(
  `insert into status (id, author_id, text, spoiler_text, sensitive, language, content, created_at)
   select id, a, '', '', false, 'en', '', $3 from unnest($1::bigint[], $2::bigint[]) as status (id, a)`,
)

const isActive = ({ ends: end }: Mute) => end === null || end > NOW
const has = (some: readonly Pair[], from: string, to: string) => some.some((each) => each.from === from && each.to === to)

/** What the pure rule shows a viewer, from the graph itself. */
const shownByRule = (graph: Graph, statuses: readonly JudgedStatus[], viewer: string, judgement: Judgement): string[] => {
  const ties = {
    heads: new Map(statuses.map((status) => [status.id, status])),
    followed: new Set(graph.follows.filter(({ from }) => from === viewer).map(({ to }) => to)),
    mentioned: new Set(statuses.filter((_, index) => graph.posts[index]!.mentions.includes(viewer)).map(({ id }) => id)),
  }
  const sets = {
    blocking: new Set(graph.blocks.filter(({ from }) => from === viewer).map(({ to }) => to)),
    blockedBy: new Set(graph.blocks.filter(({ to }) => to === viewer).map(({ from }) => from)),
    blockedDomains: new Set(graph.domainBlocks.filter(({ from }) => from === viewer).map(({ to }) => to)),
    muted: new Set(graph.mutes.filter((each) => each.from === viewer && isActive(each)).map(({ to }) => to)),
  }
  return statuses.map(({ id }) => id).filter((id) => isShown(id, ties, viewer, sets, judgement))
}

type Row = { id: string }

const WITH_ORIGINAL = sql`from status_head h left join status_head o on o.id = h.reblog_of_id`
const NOW_PASSED = sql`${NOW}`
const visibleTo = (viewer: RawBuilder<unknown>) => sql<Row>`
  select h.id ${WITH_ORIGINAL} where ${isVisibleTo('h', viewer)} and (o.id is null or ${isVisibleTo('o', viewer)}) order by h.id`
const onTimelinesOf = (viewer: RawBuilder<unknown>) => sql<Row>`
  select h.id ${WITH_ORIGINAL} where ${isVisibleTo('h', viewer)} and not ${isHiddenByViewer(viewer, 'h.author_id', NOW_PASSED)}
    and (o.id is null or (${isVisibleTo('o', viewer)} and not ${isHiddenByViewer(viewer, 'o.author_id', NOW_PASSED)})) order by h.id`
const hiddenFrom = (viewer: RawBuilder<unknown>) =>
  sql<Row>`select distinct * from (${accountsHiddenFrom(viewer, NOW_PASSED)}) hidden (id) order by id`
const eachKeptFrom = (viewer: RawBuilder<unknown>) =>
  sql<Row>`select a.id from account a where ${isKeptFrom(viewer, 'a.id', NOW_PASSED)} order by a.id`
const keptFrom = (author: RawBuilder<unknown>) =>
  sql<Row>`select unnest(${viewersKeptFrom(sql`array[${author}]`, sql`${PEOPLE}`, NOW_PASSED)}) id`
const notifiedOf = (actor: RawBuilder<unknown>) => sql<Row>`
  select a.id from account a
  where a.id <> ${actor} and ${mayNotify({ recipient: 'a.id', actor, thread: 'null', now: NOW_PASSED })} order by a.id`
const blockersOf = (account: RawBuilder<unknown>) => sql<Row>`select a.id from account a where ${blocks('a.id', account)} order by a.id`

let own: TestDatabase
let database: Database<StatusesTables>

beforeAll(async () => {
  const postgres = startTestPostgres()
  const template = await postgres.templateDatabase('statuses', (building) => migrateServices(building, [schema]))
  own = await postgres.createDatabase(template)
  database = openDatabase<StatusesTables>({ url: own.url(schema.name) })
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

/** The ids that a query for an account gives. */
const ids = async (query: (account: RawBuilder<unknown>) => RawBuilder<Row>, account: string) =>
  (await query(sql`${account}::bigint`).execute(database.db)).rows.map(({ id }) => id)

test('the pure rule, the SQL predicates and the views show the same statuses to the same people on random graphs', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const statuses = statusesOf(graph)
      await keep(database, graph, statuses)
      const all = statuses.map(({ id }) => id)
      for (const viewer of [...LOCAL, '']) {
        const views = createViews({ database, clock: { now: () => NOW.getTime() }, pool: cachePool({ maxBytes: 1_000_000 }) })
        const byId = shownByRule(graph, statuses, viewer, 'direct')
        const onTimelines = shownByRule(graph, statuses, viewer, 'timeline')
        expect(await ids(visibleTo, viewer || '0')).toEqual(byId)
        expect(await ids(onTimelinesOf, viewer || '0')).toEqual(onTimelines)
        expect(await views.visibleIds(viewer, all, 'direct')).toEqual(byId)
        expect(await views.visibleIds(viewer, all, 'timeline')).toEqual(onTimelines)
      }
    }),
    { numRuns: 40 },
  )
})

const everything = commonSkeletonStatement<Viewer & { limit: number }>('test.everything', {
  page: ({ limit }) => sql`select id status_id, reblog_of_id from (select * from status_head order by id limit ${limit}) h`,
  types: { limit: 'int' },
})

test('a page that all read at the same moment, and again once their ties are others, shows each what it shows them by themselves on random graphs', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, graphs, async (before, { posts: _, ...ties }) => {
      for (const graph of [before, { ...before, ...ties }]) {
        const statuses = statusesOf(graph)
        await keep(database, graph, statuses)
        await bodies(database, [statuses.map(({ id }) => id), statuses.map(({ authorId }) => authorId), NOW])
        const views = createViews({ database, clock: { now: () => NOW.getTime() }, pool: cachePool({ maxBytes: 1_000_000 }) })
        const viewers = [...LOCAL, '', '7', '8']
        const judgements = ['timeline', 'direct', 'thread'] as const
        const pagesOf = async (viewer: string) => {
          const skeleton = await everything(database, { viewerId: viewer || '0', limit: 100 })
          const pages = await Promise.all(judgements.map((judgement) => views.present(viewer, skeleton, judgement)))
          return pages.map(({ items }) => items.map(({ id }) => id))
        }
        const shown = await Promise.all(viewers.map(pagesOf))
        expect(shown).toEqual(viewers.map((viewer) => judgements.map((judgement) => shownByRule(graph, statuses, viewer, judgement))))
      }
    }),
    { numRuns: 40 },
  )
})

test('a page that says what it said is taken apart once, and again when it says something else', async () => {
  const first = await everything(database, { viewerId: '0', limit: 100 })
  const second = await everything(database, { viewerId: '7', limit: 100 })
  expect(second.ids.length).toBeGreaterThan(0)
  expect(second.heads).toBe(first.heads)
  await sql`update status_head set favourites = favourites + 1 where id = ${first.ids[0]}`.execute(database.db)
  const third = await everything(database, { viewerId: '0', limit: 100 })
  const { id, favouritesCount } = first.heads.get(first.ids[0]!)!
  expect(third.heads.get(id)?.favouritesCount).toBe(favouritesCount + 1)
})

test('who is hidden from whom and who is notified follows from blocks and unexpired mutes on random graphs', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      await keep(database, graph, [])
      const muting = graph.mutes.filter(isActive)
      for (const one of PEOPLE) {
        const others = PEOPLE.filter((other) => other !== one)
        const isApart = (other: string) => has(graph.blocks, one, other) || has(graph.blocks, other, one)
        expect(await ids(blockersOf, one)).toEqual(others.filter((other) => has(graph.blocks, other, one)))
        expect(await ids(hiddenFrom, one)).toEqual(others.filter((other) => isApart(other) || has(muting, one, other)))
        const shutsOut = (blocker: string, other: string) => has(graph.domainBlocks, blocker, DOMAINS[other] ?? '')
        expect(await ids(eachKeptFrom, one)).toEqual(
          others.filter((other) => isApart(other) || has(muting, one, other) || shutsOut(one, other)),
        )
        expect((await ids(keptFrom, one)).toSorted()).toEqual(
          others.filter((other) => isApart(other) || has(muting, other, one) || shutsOut(other, one)),
        )
        const mutesNotifications = (other: string) =>
          muting.some(({ from, to, notifications }) => from === other && to === one && notifications)
        const isHere = (other: string) => !DOMAINS[other] && !graph.suspended.includes(other)
        expect(await ids(notifiedOf, one)).toEqual(
          others.filter((other) => isHere(other) && !isApart(other) && !mutesNotifications(other) && !shutsOut(other, one)),
        )
      }
    }),
    { numRuns: 25 },
  )
})

const PLACED = sql`with placed as (
  select h.id, h.reblog_of_id, h.author_id, coalesce(o.author_id, h.author_id) origin_id,
    array[h.author_id, coalesce(o.author_id, h.author_id)] || array(select account_id from mention where status_id = coalesce(o.id, h.id)) involved
  ${WITH_ORIGINAL})`

test('no home is given what a block, a mute or a server that its reader shut out keeps from them on random graphs, for one reader and for all', async () => {
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const statuses = statusesOf(graph)
      await keep(database, graph, statuses)
      const muting = graph.mutes.filter(isActive)
      const isKept = (status: JudgedStatus, reader: string): boolean => {
        const at = statuses.findIndex(({ id }) => id === (status.reblogOfId ?? status.id))
        const authors = [status.authorId, statuses[at]!.authorId]
        const keepsAway = (id: string) => has(graph.blocks, reader, id) || has(muting, reader, id)
        const shutsOut = (id: string) => has(graph.blocks, id, reader) || has(graph.domainBlocks, reader, DOMAINS[id] ?? '')
        return [...authors, ...graph.posts[at]!.mentions].some(keepsAway) || authors.some(shutsOut)
      }
      const pairsOf = async (kept: RawBuilder<unknown>) => {
        const text = sql<{ pair: string }>`${PLACED} select distinct id || ' ' || account_id pair from (${kept}) kept order by pair`
        return (await text.execute(database.db)).rows.map(({ pair }) => pair)
      }
      const expected = (reader: string) => statuses.filter((status) => isKept(status, reader)).map(({ id }) => `${id} ${reader}`)
      for (const reader of LOCAL) {
        const isKeptFromThem = isKeptFromReader('p', sql`${reader}::bigint`, NOW_PASSED)
        const kept = sql`select p.id, ${reader}::bigint account_id from placed p where ${isKeptFromThem}`
        expect(await pairsOf(kept)).toEqual(expected(reader))
      }
      const among = (column: string) => sql`${sql.raw(column)} = any(${LOCAL}::bigint[])`
      expect(await pairsOf(readersKeptApart('placed', among, NOW_PASSED))).toEqual(LOCAL.flatMap(expected).toSorted())
    }),
    { numRuns: 40 },
  )
})

/** Makes some people those of another server, and the statuses what they are of: rows of their own, with whom each answers. */
const moveElsewhere = async (
  graph: Graph,
  statuses: readonly JudgedStatus[],
  remote: readonly string[],
  answered: readonly (string | null)[],
) => {
  const { pool } = database
  await pool.query(
    "update account set domain = case when id = any($1::bigint[]) then 'far.example' end, uri = 'https://far.example/' || id",
    [remote],
  )
  await pool.query('delete from domain_block where account_id = any($1::bigint[])', [remote])
  await pool.query('update follow set is_local = not account_id = any($1::bigint[])', [remote])
  await pool.query('update status_head set is_local = not author_id = any($1::bigint[])', [remote])
  await pool.query(
    `insert into status (id, author_id, text, spoiler_text, sensitive, content, created_at, in_reply_to_account_id)
     select s, a, '', '', false, '', $4, r from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as said (s, a, r)`,
    [statuses.map(({ id }) => id), statuses.map(({ authorId }) => authorId), graph.posts.map((_, index) => answered[index] ?? null), NOW],
  )
}

test('a status goes to people of other servers who may see it, and follow its author, boosted it, or are mentioned, answered or boosted by it; to no one else', async () => {
  const elsewhere = fc.uniqueArray(person, { minLength: 2, maxLength: 4 })
  const answers = fc.array(fc.option(person, { freq: 2 }), { minLength: 14, maxLength: 14 })
  const reader = readAudience({ database })
  await fc.assert(
    fc.asyncProperty(graphs, elsewhere, answers, async (graph, remote, answered) => {
      const statuses = statusesOf(graph)
      await keep(database, graph, statuses)
      await moveElsewhere(graph, statuses, remote, answered)
      for (const [index, status] of statuses.entries()) {
        const original = statuses.find(({ id }) => id === status.reblogOfId)
        const isConcerned = (id: string) =>
          graph.posts[index]!.mentions.includes(id) ||
          answered[index] === id ||
          original?.authorId === id ||
          statuses.some((boost) => boost.reblogOfId === status.id && boost.authorId === id) ||
          (status.visibility !== Visibility.DIRECT && has(graph.follows, id, status.authorId))
        const isShutOut = [status.authorId, original?.authorId ?? ''].some(
          (id) => !remote.includes(id) && has(graph.domainBlocks, id, 'far.example'),
        )
        const mayGet = (id: string) =>
          !isShutOut && !graph.suspended.includes(id) && shownByRule(graph, statuses, id, 'direct').includes(status.id)
        const expected = remote.includes(status.authorId) ? [] : remote.filter((id) => isConcerned(id) && mayGet(id)).toSorted()
        const parts: string[] = []
        for (let afterId = ''; ; ) {
          const part = await reader({ statusId: status.id, afterId, limit: 1 })
          parts.push(...part.ids)
          if (!part.lastId) break
          afterId = part.lastId
        }
        expect(parts).toEqual(expected)
      }
    }),
    { numRuns: 40 },
  )
})
