import type { Harness } from './harness.ts'
import { type Driving, drive, type Target } from './load.ts'
import { accountIdOf, EDITED, FILTERER, numbers, STAR, TALKER, THREAD, tokenOf, viewers } from './seed.ts'
import type { Sizes } from './sizes.ts'
import type { Line } from './table.ts'

const WARM_UP_SECONDS = 2
const SPACING_MILLISECONDS = 10_000

const star = `/api/v1/accounts/${accountIdOf(STAR)}`
const forty = Array.from({ length: 40 }, (_, index) => `id[]=${accountIdOf(index + 1)}`).join('&')
const searching = (words: string) => `/api/v2/search?type=statuses&limit=20&q=${encodeURIComponent(words)}`

/** An id before which part of all statuses was posted, beyond what homes store. */
const longAgo = ({ statuses }: Sizes) => (BigInt(Math.round(Date.now() - statuses * SPACING_MILLISECONDS * 0.6)) << 16n).toString()

/** The measured requests, by name. */
export const requestsOf = (sizes: Sizes): Record<string, Target> => ({
  'verify_credentials (token check)': { path: '/api/v1/accounts/verify_credentials', tokens: viewers },
  'public timeline of 20': { path: '/api/v1/timelines/public?limit=20' },
  'public timeline of 20, signed in': { path: '/api/v1/timelines/public?limit=20', tokens: viewers },
  'home timeline of 20': { path: '/api/v1/timelines/home?limit=20', tokens: viewers },
  'home of one person': { path: '/api/v1/timelines/home?limit=20', tokens: [tokenOf(FILTERER - 1)] },
  'home of one person with 1,000 filters': { path: '/api/v1/timelines/home?limit=20', tokens: [tokenOf(FILTERER)] },
  'home of 20 long ago': { path: `/api/v1/timelines/home?limit=20&max_id=${longAgo(sizes)}`, tokens: viewers },
  'list timeline of 20': { path: numbers.map((_, index) => `/api/v1/timelines/list/${index + 1}?limit=20`), tokens: viewers },
  'tag timeline of 20': { path: '/api/v1/timelines/tag/tea?limit=20', tokens: viewers },
  'tag timeline of 20, any and none of others': { path: '/api/v1/timelines/tag/tea?any[]=milk&none[]=sugar&limit=20', tokens: viewers },
  'tag timeline of 20, all of two': { path: '/api/v1/timelines/tag/tea?all[]=milk&limit=20', tokens: viewers },
  'tag timeline of 20, media alone, where no status has any': {
    path: '/api/v1/timelines/tag/tea?only_media=true&limit=20',
    tokens: viewers,
  },
  'account page of 20': { path: `/api/v1/accounts/${accountIdOf(FILTERER)}/statuses?limit=20`, tokens: viewers },
  'context of 200': { path: `/api/v1/statuses/${THREAD}/context`, tokens: viewers },
  'search of one’s own statuses': { path: searching('teapot from:me'), tokens: viewers },
  'search for a common word that no one visible used': { path: searching('kettle'), tokens: viewers },
  'search for a common word': { path: searching('lantern'), tokens: viewers },
  'search for a rare word': { path: searching('rare239'), tokens: viewers },
  'search among 20,000 of one’s own for a word of others': { path: searching('teapot'), tokens: [tokenOf(TALKER)] },
  'search among them from:me': { path: searching('teapot from:me'), tokens: [tokenOf(TALKER)] },
  'search for statuses with media, where none has any': { path: searching('has:media'), tokens: viewers },
  'relationships of 40': { path: `/api/v1/accounts/relationships?${forty}`, tokens: viewers },
  'profile of whom many follow': { path: star, tokens: viewers },
  'their followers, first page of 80': { path: `${star}/followers?limit=80`, tokens: viewers },
  // Follows are numbered in the order they were inserted, and those among people come first: few of the star's are after this.
  'their followers, last page of 80': { path: `${star}/followers?limit=80&max_id=${sizes.people * sizes.follows + 100}`, tokens: viewers },
  'change a follow of whom many follow': {
    path: ['false', 'true'].flatMap((reblogs) => numbers.map(() => `${star}/follow?reblogs=${reblogs}`)),
    method: 'POST',
    tokens: viewers,
    body: '{}',
  },
  'accounts by the beginning of a handle': { path: '/api/v1/accounts/search?q=person1', tokens: viewers },
  'accounts by the beginning of a name': { path: '/api/v1/accounts/search?q=neighb', tokens: viewers },
  directory: { path: '/api/v1/directory?limit=40', tokens: viewers },
  'trending tags': { path: '/api/v1/trends/tags' },
  'trending statuses of 20, signed in': { path: '/api/v1/trends/statuses?limit=20', tokens: viewers },
  'instance document': { path: '/api/v2/instance' },
  'activity of twelve weeks': { path: '/api/v1/instance/activity' },
  suggestions: { path: '/api/v2/suggestions', tokens: viewers },
  'edit a status': {
    path: numbers.map((number) => `/api/v1/statuses/${EDITED + number}`),
    method: 'PUT',
    tokens: viewers,
    body: '{"status":"Number TURN says something else"}',
  },
  'post a status': { path: '/api/v1/statuses', method: 'POST', tokens: viewers, body: '{"status":"Number TURN says hello"}' },
})

/** The same requests in reverse order: requests that have an effect only once must not be used up by the warm-up. */
const backwards = (target: Target): Target => ({
  ...target,
  path: [target.path].flat().toReversed(),
  ...(target.tokens && { tokens: target.tokens.toReversed() }),
})

/** The load of requests, and the microseconds per request of the server, of Postgres, and of the processes beside separate services. */
export const costOfRequests = async (harness: Harness, target: Target, driving: Driving) => {
  await drive(harness.origin, backwards(target), { ...driving, seconds: WARM_UP_SECONDS })
  const before = harness.usage()
  const load = await drive(harness.origin, target, driving)
  const after = harness.usage()
  const each = (total: number) => total / Math.max(1, load.perSecond * driving.seconds)
  return {
    load,
    server: each((after.server.seconds - before.server.seconds) * 1e6),
    database: each((after.database.seconds - before.database.seconds) * 1e6),
    beside: after.beside && each((after.beside.seconds - before.beside!.seconds) * 1e6),
    memory: `${after.server.megabytes} + ${after.database.megabytes} MB`,
  }
}

/** Measures one request and returns its line. */
export const measure = async (what: string, harness: Harness, target: Target, driving: Driving): Promise<Line> => {
  const { load, server, database, beside, memory } = await costOfRequests(harness, target, driving)
  const remarks = [
    beside !== undefined && `${beside.toFixed(0)} µs of the front, Redis and Kafka`,
    load.errors > 0 && `${load.errors} errors`,
  ].filter(Boolean)
  return {
    what,
    perSecond: `${load.perSecond}/s`,
    p50: load.p50,
    p99: load.p99,
    serverMicroseconds: server,
    databaseMicroseconds: database,
    memory,
    ...(remarks.length > 0 && { remark: remarks.join(', ') }),
  }
}
