import { setTimeout as pause } from 'node:timers/promises'
import type { Options, Peer } from './config.ts'
import type { Harness } from './harness.ts'
import { drive, type Target } from './load.ts'
import { tokenOf } from './seed.ts'

const ROUNDS = 5
const WARM_UP_SECONDS = 2
/** The author, on either side. */
const AUTHOR = 3

/** Requests that any server of this API answers to a token with all scopes, with nothing that only one of the two servers has. */
const requestsAs = (token: string): Record<string, Target> => ({
  'verify_credentials (token check)': { path: '/api/v1/accounts/verify_credentials', tokens: [token] },
  'public timeline of 20': { path: '/api/v1/timelines/public?limit=20' },
  'public timeline of 20, signed in': { path: '/api/v1/timelines/public?limit=20', tokens: [token] },
  'home timeline of 20': { path: '/api/v1/timelines/home?limit=20', tokens: [token] },
  notifications: { path: '/api/v1/notifications?limit=20', tokens: [token] },
  'accounts by the beginning of a name': { path: '/api/v1/accounts/search?q=a', tokens: [token] },
  'post a status': { path: '/api/v1/statuses', method: 'POST', tokens: [token], body: '{"status":"Number TURN says hello"}' },
})

/** The median of several rounds, with the lowest and the highest. */
type Rounds = { median: number; lowest: number; highest: number; errors: number }

const summed = (rounds: readonly { perSecond: number; errors: number }[]): Rounds => {
  const sorted = rounds.map(({ perSecond }) => perSecond).sort((a, b) => a - b)
  return {
    median: sorted[Math.floor(sorted.length / 2)]!,
    lowest: sorted[0]!,
    highest: sorted.at(-1)!,
    errors: rounds.reduce((sum, { errors }) => sum + errors, 0),
  }
}

const shown = ({ median, lowest, highest, errors }: Rounds) => `${median}/s (${lowest}–${highest})${errors > 0 ? `, ${errors} errors` : ''}`

/**
 * Drives this server and another alternately, so that other load on the machine affects both: a warm-up, then five rounds of each. Prints
 * the median, the spread and the ratio. @throws Error when wrk is missing
 */
export const compareWithPeer = async (harness: Harness, { seconds, connections, only }: Options, peer: Peer): Promise<void> => {
  const sides = [
    { origin: harness.origin, requests: requestsAs(tokenOf(AUTHOR)) },
    { origin: peer.url, requests: requestsAs(peer.token) },
  ]
  console.log('| what | this server | the peer | ratio |\n| --- | --- | --- | --- |')
  for (const what of Object.keys(sides[0]!.requests).filter((each) => each.includes(only))) {
    const results = sides.map((): { perSecond: number; errors: number }[] => [])
    for (const { origin, requests } of sides) await drive(origin, requests[what]!, { seconds: WARM_UP_SECONDS, connections })
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, { origin, requests }] of sides.entries()) {
        results[index]!.push(await drive(origin, requests[what]!, { seconds, connections }))
        await pause(500)
      }
    const [ours, theirs] = results.map(summed) as [Rounds, Rounds]
    // Refusals are fast: their number says nothing.
    const ratio = ours.errors + theirs.errors > 0 ? '–' : (ours.median / Math.max(1, theirs.median)).toFixed(2)
    console.log(`| ${what} | ${shown(ours)} | ${shown(theirs)} | ${ratio} |`)
  }
}
