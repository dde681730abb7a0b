import { setTimeout as pause } from 'node:timers/promises'
import type { Options, Peer } from './config.ts'
import type { Harness } from './harness.ts'
import { drive, type Load, type Target } from './load.ts'
import { tokenOf } from './seed.ts'

const ROUNDS = 5
const WARM_UP_SECONDS = 2
/** The author here; homes are also those of the people after them. */
const AUTHOR = 3

/** Requests that any server of this API answers to a token with all scopes, with nothing that only one of the two servers has. */
const requestsAs = (tokens: readonly string[]): Record<string, Target> => {
  const [token = ''] = tokens
  return {
    'verify_credentials (token check)': { path: '/api/v1/accounts/verify_credentials', tokens: [token] },
    'public timeline of 20': { path: '/api/v1/timelines/public?limit=20' },
    'public timeline of 20, signed in': { path: '/api/v1/timelines/public?limit=20', tokens: [token] },
    'home timeline of 20, of one person': { path: '/api/v1/timelines/home?limit=20', tokens: [token] },
    ...(tokens.length > 1 && { 'home timeline of 20, of all of them in turn': { path: '/api/v1/timelines/home?limit=20', tokens } }),
    notifications: { path: '/api/v1/notifications?limit=20', tokens: [token] },
    'accounts by the beginning of a name': { path: '/api/v1/accounts/search?q=a', tokens: [token] },
    'post a status': { path: '/api/v1/statuses', method: 'POST', tokens: [token], body: '{"status":"Number TURN says hello"}' },
  }
}

/** The median of several rounds, with the lowest and the highest. */
type Rounds = { median: number; lowest: number; highest: number; errors: number; refusals: number }

const summed = (rounds: readonly Load[]): Rounds => {
  const sumOf = (count: 'errors' | 'refusals') => rounds.reduce((sum, round) => sum + round[count], 0)
  const sorted = rounds.map(({ perSecond }) => perSecond).sort((a, b) => a - b)
  return {
    median: sorted[Math.floor(sorted.length / 2)]!,
    lowest: sorted[0]!,
    highest: sorted.at(-1)!,
    errors: sumOf('errors'),
    refusals: sumOf('refusals'),
  }
}

const shown = ({ median, lowest, highest, errors }: Rounds) => `${median}/s (${lowest}–${highest})${errors > 0 ? `, ${errors} errors` : ''}`

/**
 * Drives this server and another alternately, so that other load on the machine affects both: a warm-up, then five rounds of each. Prints
 * the median, the spread and the ratio. @throws Error when wrk is missing
 */
export const compareWithPeer = async (harness: Harness, { seconds, connections, only }: Options, peer: Peer): Promise<void> => {
  const sides = [
    { origin: harness.origin, requests: requestsAs(peer.tokens.map((_, index) => tokenOf(AUTHOR + index))) },
    { origin: peer.url, requests: requestsAs(peer.tokens) },
  ]
  console.log('| what | this server | the peer | ratio |\n| --- | --- | --- | --- |')
  for (const what of Object.keys(sides[0]!.requests).filter((each) => each.includes(only))) {
    const results = sides.map((): Load[] => [])
    for (const { origin, requests } of sides) await drive(origin, requests[what]!, { seconds: WARM_UP_SECONDS, connections })
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, { origin, requests }] of sides.entries()) {
        results[index]!.push(await drive(origin, requests[what]!, { seconds, connections }))
        await pause(500)
      }
    const [ours, theirs] = results.map(summed) as [Rounds, Rounds]
    // Refusing is fast: the number of refusals says nothing.
    const ratio = ours.refusals + theirs.refusals > 0 ? '–' : (ours.median / Math.max(1, theirs.median)).toFixed(2)
    console.log(`| ${what} | ${shown(ours)} | ${shown(theirs)} | ${ratio} |`)
  }
}
