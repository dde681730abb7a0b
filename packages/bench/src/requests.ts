import type { Options } from './config.ts'
import { drive, type Target } from './load.ts'
import { FILTERER, SIZES, tokenOf } from './seed.ts'
import type { Stage } from './stage.ts'
import type { Line } from './table.ts'

const WARM_UP_SECONDS = 2

/** Those who read and post in turn. Neither of the two with many followers is among them: their posts are measured apart. */
const viewers = Array.from({ length: SIZES.viewers }, (_, index) => tokenOf(index + 3))

/** The requests that are measured, by name. */
export const REQUESTS: Record<string, Target> = {
  'verify_credentials (token check)': { path: '/api/v1/accounts/verify_credentials', tokens: viewers },
  'public timeline of 20': { path: '/api/v1/timelines/public?limit=20' },
  'public timeline of 20, signed in': { path: '/api/v1/timelines/public?limit=20', tokens: viewers },
  'home timeline of 20': { path: '/api/v1/timelines/home?limit=20', tokens: viewers },
  'home of one person': { path: '/api/v1/timelines/home?limit=20', tokens: [tokenOf(FILTERER - 1)] },
  'home of one person with 1,000 filters': { path: '/api/v1/timelines/home?limit=20', tokens: [tokenOf(FILTERER)] },
  'post a status': { path: '/api/v1/statuses', method: 'POST', tokens: viewers, body: '{"status":"Number TURN says hello"}' },
}

/** Drives one request and says what it came to. */
export const measure = async (what: string, stage: Stage, target: Target, options: Options): Promise<Line> => {
  await drive(stage.origin, target, WARM_UP_SECONDS)
  const before = stage.usage()
  const load = await drive(stage.origin, target, options.seconds)
  const after = stage.usage()
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
