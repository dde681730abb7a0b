import exec from 'k6/execution'
import { Rate, Trend } from 'k6/metrics'
import { whoAmI } from './people.ts'
import { ask, read } from './requests.ts'
import { SECONDS, USERS } from './settings.ts'
import { openStream, pause } from './stream.ts'

/** How long a stream takes to be open again, and whether it opened at all. */
const reconnectTime = new Trend('reconnect_time', true)
const reconnected = new Rate('reconnected')

/** Six times in all, but never more often than clients would find out. */
const PERIOD = Math.max(5, SECONDS / 6) * 1000

/** Everyone's stream is cut at the same moments, as by a proxy that starts again, and everyone is back at once. */
export const reconnectStorm = {
  executor: 'per-vu-iterations' as const,
  exec: 'comeBack',
  vus: USERS,
  iterations: 1,
  maxDuration: `${SECONDS + 60}s`,
}

export const reconnectStormThresholds = {
  reconnect_time: ['p(95)<3000'],
  reconnected: ['rate>0.99'],
  'http_req_failed{scenario:reconnectStorm}': ['rate<0.01'],
}

/** What clients ask when they come back: what they missed. */
const catchUp = (token: string, newest: string): string => {
  const query = { limit: '40', min_id: newest }
  const home = read<{ id: string }[]>(ask('GET', '/api/v1/timelines/home', { token, query })) ?? []
  ask('GET', '/api/v1/notifications', { token, query: { limit: '40' } })
  return home[0]?.id ?? newest
}

/** Keeps a stream until it is cut, over and over, until the scene ends. */
export const comeBack = async () => {
  const { token } = whoAmI()
  const { startTime } = exec.scenario
  let newest = '1'
  let stream = await openStream(token)
  for (let cut = startTime + PERIOD; cut < startTime + SECONDS * 1000; cut += PERIOD) {
    if (cut < Date.now()) continue
    await pause((cut - Date.now()) / 1000)
    stream?.close()
    const asked = Date.now()
    stream = await openStream(token)
    reconnected.add(stream !== undefined)
    if (stream) reconnectTime.add(Date.now() - asked)
    newest = catchUp(token, newest)
  }
  stream?.close()
}
