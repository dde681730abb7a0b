import type { Options } from './config.ts'
import type { Harness } from './harness.ts'
import { drive, type Target } from './load.ts'
import { accountIdOf, EDITED, FILTERER, numbers, SIZES, STAR, THREAD, tokenOf, viewers } from './seed.ts'
import type { Line } from './table.ts'

const WARM_UP_SECONDS = 2

const star = `/api/v1/accounts/${accountIdOf(STAR)}`
const forty = Array.from({ length: 40 }, (_, index) => `id[]=${accountIdOf(index + 1)}`).join('&')
/** Follows are numbered as they are made, and those of the people who follow each other come first: behind this are few of the star's. */
const NEAR_THE_LAST_FAN = SIZES.people * SIZES.follows + 100

/** The requests that are measured, by name. */
export const REQUESTS: Record<string, Target> = {
  'verify_credentials (token check)': { path: '/api/v1/accounts/verify_credentials', tokens: viewers },
  'public timeline of 20': { path: '/api/v1/timelines/public?limit=20' },
  'public timeline of 20, signed in': { path: '/api/v1/timelines/public?limit=20', tokens: viewers },
  'home timeline of 20': { path: '/api/v1/timelines/home?limit=20', tokens: viewers },
  'home of one person': { path: '/api/v1/timelines/home?limit=20', tokens: [tokenOf(FILTERER - 1)] },
  'home of one person with 1,000 filters': { path: '/api/v1/timelines/home?limit=20', tokens: [tokenOf(FILTERER)] },
  'list timeline of 20': { path: numbers.map((_, index) => `/api/v1/timelines/list/${index + 1}?limit=20`), tokens: viewers },
  'tag timeline of 20': { path: '/api/v1/timelines/tag/tea?limit=20', tokens: viewers },
  'account page of 20': { path: `/api/v1/accounts/${accountIdOf(FILTERER)}/statuses?limit=20`, tokens: viewers },
  'context of 200': { path: `/api/v1/statuses/${THREAD}/context`, tokens: viewers },
  'search of one’s own statuses': { path: '/api/v2/search?type=statuses&q=kettle%20from%3Ame&limit=20', tokens: viewers },
  'relationships of 40': { path: `/api/v1/accounts/relationships?${forty}`, tokens: viewers },
  'profile of whom many follow': { path: star, tokens: viewers },
  'their followers, first page of 80': { path: `${star}/followers?limit=80`, tokens: viewers },
  'their followers, last page of 80': { path: `${star}/followers?limit=80&max_id=${NEAR_THE_LAST_FAN}`, tokens: viewers },
  'follow whom many follow': { path: `${star}/follow`, method: 'POST', tokens: viewers, body: '{}' },
  'accounts by the beginning of a handle': { path: '/api/v1/accounts/search?q=person1', tokens: viewers },
  'trending tags': { path: '/api/v1/trends/tags' },
  'trending statuses of 20, signed in': { path: '/api/v1/trends/statuses?limit=20', tokens: viewers },
  suggestions: { path: '/api/v2/suggestions', tokens: viewers },
  'edit a status': {
    path: numbers.map((number) => `/api/v1/statuses/${EDITED + number}`),
    method: 'PUT',
    tokens: viewers,
    body: '{"status":"Number TURN says something else"}',
  },
  'post a status': { path: '/api/v1/statuses', method: 'POST', tokens: viewers, body: '{"status":"Number TURN says hello"}' },
}

/** Drives one request and says what it came to. */
export const measure = async (what: string, harness: Harness, target: Target, options: Options): Promise<Line> => {
  await drive(harness.origin, target, WARM_UP_SECONDS)
  const before = harness.usage()
  const load = await drive(harness.origin, target, options.seconds)
  const after = harness.usage()
  const each = (part: 'server' | 'database') =>
    ((after[part].seconds - before[part].seconds) * 1e6) / Math.max(1, load.perSecond * options.seconds)
  return {
    what,
    perSecond: `${load.perSecond}/s`,
    p50: load.p50,
    p99: load.p99,
    serverMicroseconds: each('server'),
    databaseMicroseconds: each('database'),
    memory: `${after.server.megabytes} + ${after.database.megabytes} MB`,
    ...(load.errors ? { remark: `${load.errors} errors` } : {}),
  }
}
