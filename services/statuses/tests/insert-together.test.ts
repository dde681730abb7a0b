import { QuoteState } from '@rookery/contracts/statuses'
import { type Database, openDatabase } from '@rookery/database'
import { startTestPostgres, type TestDatabase } from '@rookery/test-stores'
import { migrateServices } from '@rookery/test-world/schemas'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type StatusesTables, schema } from '../src/module.ts'
import type { NewStatus } from '../src/posts/statuses/insert-status.store.ts'
import { insertTogether } from '../src/posts/statuses/insert-together.ts'
import { isOvertaken } from '../src/posts/statuses/posting-order.ts'

let own: TestDatabase
let database: Database<StatusesTables>
let sent: string[] = []
beforeAll(async () => {
  const postgres = startTestPostgres()
  const template = await postgres.templateDatabase('statuses', (building) => migrateServices(building, [schema]))
  own = await postgres.createDatabase(template)
  database = openDatabase<StatusesTables>({ url: own.url(schema.name), onStatement: (text) => sent.push(text) })
  await sql`insert into account (id, username, is_active, created_at)
    select id, 'author' || id, true, now() from generate_series(1, 40) id`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})
beforeEach(() => {
  sent = []
})

let lastId = 1000
const post = (authorId: number, more: Partial<NewStatus> = {}): NewStatus => ({
  id: String(++lastId),
  uri: null,
  url: null,
  isLocal: true,
  editedAt: null,
  isFetched: false,
  authorId: String(authorId),
  visibility: 1,
  isListed: true,
  isReplyToOther: false,
  hasMedia: false,
  text: 'a "quoted" \\ word, {and} more',
  spoilerText: '',
  sensitive: false,
  language: null,
  content: '',
  inReplyToId: null,
  inReplyToAccountId: null,
  quotePolicy: 0,
  quotedId: null,
  quoteState: 0,
  quoteAuthorizationUri: null,
  createdAt: new Date('2026-05-01T12:00:00.000Z'),
  applicationName: null,
  applicationWebsite: null,
  mentions: '[]',
  attachments: '[]',
  emojis: '[]',
  mentionedIds: [],
  tags: [],
  displays: [],
  topics: ['statuses.v1'],
  keys: [String(authorId)],
  envelopes: [Buffer.from(`event ${lastId}`)],
  pollExpiresAt: null,
  isMultiple: false,
  hidesTotals: false,
  pollOptions: [],
  pollVotes: [],
  pollVoters: 0,
  isOrdered: true,
  ...more,
})

const written = async (posts: readonly NewStatus[]): Promise<string[]> => {
  const ids = posts.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`select id from status where id = any(${ids}::bigint[]) order by id`.execute(database.db)
  return rows.map(({ id }) => id)
}

/** An account as it is. */
const account = async (id: number) =>
  (
    await sql<{ version: number; statusesCount: number; lastStatusId: string }>`
      select version, statuses_count, last_status_id from account where id = ${id}`.execute(database.db)
  ).rows[0]!

test('posts of many authors at the same moment are one statement, and raise each author’s count by what they posted', async () => {
  const insert = insertTogether(database)
  const groups = Array.from({ length: 10 }, (_, index) => [post(index + 1), post(index + 1), post(index + 1, { visibility: 4 })])
  const outcomes = await Promise.all(groups.map(insert))
  expect(sent).toHaveLength(1)
  expect(outcomes.flat().map((outcome) => 'result' in outcome && outcome.result?.statusesCount)).toEqual(Array(30).fill(2))
  expect(await written(groups.flat())).toEqual(groups.flat().map(({ id }) => id))
  expect(await account(3)).toMatchObject({ version: 2, statusesCount: 2, lastStatusId: groups[2]![2]!.id })
})

test('events leave in the order of the posts, and lists keep what they hold', async () => {
  const tags = ['a"b', 'c\\d', 'e,f', 'null']
  const posts = [post(11, { tags, displays: tags }), post(11, { tags: ['null'], displays: ['NULL'], mentionedIds: ['1', '2'] })]
  await insertTogether(database)(posts)
  const ids = posts.map(({ id }) => id)
  const { rows } = await sql<{ tags: string[]; named: string; mentioned: string }>`
    select tags, (select count(*) from status_tag where status_id = status.id) named, (select count(*) from mention where status_id = status.id) mentioned
    from status where id = any(${ids}::bigint[]) order by id`.execute(database.db)
  expect(rows).toEqual([
    { tags, named: '4', mentioned: '0' },
    { tags: ['null'], named: '1', mentioned: '2' },
  ])
  const events = await sql<{ envelope: Buffer }>`select envelope from outbox where key = '11' order by id`.execute(database.db)
  expect(events.rows.map(({ envelope }) => envelope.toString())).toEqual(ids.map((id) => `event ${id}`))
})

test('a parent that several answer at once, and someone quotes, counts each of them', async () => {
  const parent = post(12)
  const insert = insertTogether(database)
  await insert([parent])
  const answer = (author: number, more: Partial<NewStatus> = {}) => post(author, { inReplyToId: parent.id, ...more })
  const quote = post(15, { quotedId: parent.id, quoteState: QuoteState.ACCEPTED })
  await Promise.all([[answer(13), answer(13)], [answer(14), answer(14, { visibility: 3 })], [quote]].map(insert))
  const { rows } = await sql`select replies, quotes from status_head where id = ${parent.id}`.execute(database.db)
  expect(rows).toEqual([{ replies: 3, quotes: 1 }])
})

test('a post that cannot be written fails alone', async () => {
  const insert = insertTogether(database)
  const bad = post(16, { text: 'not \0 text' })
  const groups = [[post(16), bad, post(16)], [post(17)]]
  const outcomes = (await Promise.all(groups.map(insert))).flat()
  expect(outcomes.map((outcome) => ('error' in outcome ? 'failed' : outcome.result?.id))).toEqual(['16', 'failed', '16', '17'])
  expect(await written(groups.flat())).toEqual(
    groups
      .flat()
      .filter((each) => each !== bad)
      .map(({ id }) => id),
  )
})

test('an author who published a higher id meanwhile is overtaken, and no one else', async () => {
  const insert = insertTogether(database)
  const [early, late, other] = [post(18), post(18), post(19)]
  await insert([late])
  const outcomes = (await Promise.all([[early], [other]].map(insert))).flat()
  expect(outcomes.map((outcome) => 'error' in outcome && isOvertaken(outcome.error))).toEqual([true, false])
  expect(await written([early, late, other])).toEqual([late.id, other.id])
})

test('an id that two requests share is written once, and a repeat finds it there', async () => {
  const insert = insertTogether(database)
  const [first, second] = [post(20), post(20)]
  const twin = { ...first, text: 'twin' }
  const outcomes = await insert([first, twin, second])
  expect(outcomes.map((outcome) => 'result' in outcome && outcome.result?.statusesCount)).toEqual([2, undefined, 2])
  expect(await insert([twin])).toEqual([{ result: undefined }])
  expect(await account(20)).toMatchObject({ statusesCount: 2, lastStatusId: second.id })
})
