import type pg from 'pg'
import type { Target } from './load.ts'
import { accountIdOf, IDOL, viewers } from './seed.ts'
import { CROWD } from './sizes.ts'

/** The first id of the crowd: people who do nothing but follow one person. */
const FIRST = 8_000_000_000_000_000

/** Inserts a million followers of one person, and returns the requests to measure with them. Takes a minute, so it is optional. */
export const seedCrowd = async (client: pg.Client): Promise<Record<string, Target>> => {
  await client.query(
    `insert into statuses.account (id, username, is_active, created_at)
     select $1 + n, 'crowd' || n, true, now() from generate_series(1, $2::bigint) n`,
    [FIRST, CROWD],
  )
  const { rows } = await client.query(
    `with followed as (
       insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
       select $1 + n, $2, true, false, now() from generate_series(1, $3::bigint) n returning id)
     select min(id)::text first from followed`,
    [FIRST, accountIdOf(IDOL), CROWD],
  )
  await client.query('update statuses.account set followers_count = followers_count + $2, version = version + 1 where id = $1', [
    accountIdOf(IDOL),
    CROWD,
  ])
  await client.query('vacuum analyze statuses.account, statuses.follow')
  const idol = `/api/v1/accounts/${accountIdOf(IDOL)}`
  const last = BigInt(rows[0].first) + 100n
  return {
    'profile of whom a million follow': { path: idol, tokens: viewers },
    'a million followers, first page of 80': { path: `${idol}/followers?limit=80`, tokens: viewers },
    'a million followers, last page of 80': { path: `${idol}/followers?limit=80&max_id=${last}`, tokens: viewers },
    'follow whom a million follow': { path: `${idol}/follow`, method: 'POST', tokens: viewers, body: '{}' },
  }
}
