import type { Options } from './config.ts'
import type { Harness } from './harness.ts'
import { measure } from './requests.ts'
import { accountIdOf, LAST_VIEWER, numbers, THREAD, viewers } from './seed.ts'
import type { Line } from './table.ts'

/** More than are favourited, followed or deleted while a line is measured. */
const EACH = 150

/** A path for each viewer in their order, repeatedly, each time of another status. */
const pathsOf = (path: (viewer: number, turn: number) => string): string[] =>
  Array.from({ length: EACH }, (_, turn) => numbers.map((_number, viewer) => path(viewer, turn))).flat()

/** Inserts statuses of some people as rows, a second apart until now; returns their ids, per person the newest first. */
export const insertStatusesOf = async (
  { client }: Pick<Harness, 'client'>,
  people: readonly number[],
  each: number,
): Promise<string[][]> => {
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ ids: string[] }>(
    `with made as (
       select ((extract(epoch from now())::bigint * 1000 - n * 1000) << 16) + person.id % 65536 id, person.id author_id
       from unnest($1::bigint[]) person (id), generate_series(1, $2::int) n),
     head as (insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
       select id, author_id, 1, true, false, false, id from made),
     whole as (insert into statuses.status (id, author_id, text, spoiler_text, sensitive, language, content, created_at)
       select id, author_id, 'in passing', '', false, 'en', '<p>in passing</p>', now() from made),
     counted as (update statuses.account set statuses_count = statuses_count + $2::int where id = any($1::bigint[]))
     select array_agg(id::text order by id desc) ids from made group by author_id order by author_id`,
    [people.map(accountIdOf), each],
  )
  await client.query('set session_replication_role = origin')
  return rows.map(({ ids }) => ids)
}

/** Measures favourites of old statuses, follows of people in turn, and deletions of statuses, by viewers in turn. */
export const measureWrites = async (harness: Harness, options: Options): Promise<Line[]> => {
  const favourite = pathsOf((_viewer, turn) => `/api/v1/statuses/${THREAD + turn}/favourite`)
  const favourited = await measure('favourite a status', harness, { method: 'POST', path: favourite, tokens: viewers, body: '{}' }, options)
  const others = harness.sizes.people - LAST_VIEWER
  const following = pathsOf((viewer, turn) => `/api/v1/accounts/${accountIdOf(LAST_VIEWER + 1 + ((viewer * EACH + turn) % others))}/follow`)
  const followed = await measure('follow someone', harness, { method: 'POST', path: following, tokens: viewers, body: '{}' }, options)
  const ids = await insertStatusesOf(harness, numbers, EACH)
  const deleting = pathsOf((viewer, turn) => `/api/v1/statuses/${ids[viewer]![turn]}`)
  const deleted = await measure('delete a status', harness, { method: 'DELETE', path: deleting, tokens: viewers }, options)
  return [favourited, followed, deleted]
}
