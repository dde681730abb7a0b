import exec from 'k6/execution'
import { Rate, Trend } from 'k6/metrics'
import { whoAmI } from './people.ts'
import { ask, read } from './requests.ts'
import { SECONDS, USERS } from './settings.ts'
import { openStream, pause } from './stream.ts'

/** How long a stream takes to be open again, and whether it opened at all. */
const reconnectTime = new Trend('reconnect_time', true)
const reconnected = new Rate('reconnected')
/** How long it takes from then until it has what it missed, and whether that comes at all. */
const resumeTime = new Trend('resume_time', true)
const resumed = new Rate('resumed')

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

/** Beside them, one whose stream is not cut and who goes on reading. */
export const onlooker = {
  executor: 'constant-vus' as const,
  exec: 'readMeanwhile',
  vus: 1,
  duration: `${SECONDS}s`,
}

export const reconnectStormThresholds = {
  reconnect_time: ['p(95)<3000'],
  reconnected: ['rate>0.99'],
  resume_time: ['p(95)<2000'],
  resumed: ['rate>0.99'],
  'http_req_failed{scenario:reconnectStorm}': ['rate<0.01'],
  'http_req_failed{scenario:onlooker}': ['rate<0.01'],
  'http_req_duration{scenario:onlooker,name:GET /api/v1/timelines/home}': ['p(95)<300', 'p(99)<1000'],
}

/** One of so many posts while its stream is cut, and so knows what it is to get. */
const ONE_IN = 10
/** Seconds for which what was missed is waited for. */
const TIMEOUT_SECONDS = 15

/** What clients ask when they come back, beside their stream. */
const catchUp = (token: string) => {
  ask('GET', '/api/v1/timelines/home', { token, query: { limit: '40' } })
  ask('GET', '/api/v1/notifications', { token, query: { limit: '40' } })
}

/** Posts what the own stream is to bring when it is open again. */
const postMissed = (token: string): string | undefined => {
  if (exec.vu.idInTest % ONE_IN !== 0) return undefined
  const answer = ask('POST', '/api/v1/statuses', { token, body: { status: `Missed by ${exec.vu.idInTest}`, visibility: 'unlisted' } })
  return read<{ id: string }>(answer)?.id
}

export const readMeanwhile = async () => {
  ask('GET', '/api/v1/timelines/home', { token: whoAmI().token, query: { limit: '20' } })
  await pause(0.1)
}

/** Keeps a stream until it is cut, over and over, until the scene ends; each goes on where the one before ended. */
export const comeBack = async () => {
  const { token } = whoAmI()
  const { startTime } = exec.scenario
  let stream = await openStream(token)
  for (let cut = startTime + PERIOD; cut < startTime + SECONDS * 1000; cut += PERIOD) {
    if (cut < Date.now()) continue
    await pause((cut - Date.now()) / 1000)
    const since = stream?.lastId() ?? ''
    stream?.close()
    const missed = postMissed(token)
    const asked = Date.now()
    let resume = () => {}
    const whole = new Promise<boolean>((resolve) => {
      resume = () => resolve(true)
    })
    stream = await openStream(token, { since, hear: ({ id }) => id === missed && resume() })
    reconnected.add(stream !== undefined)
    if (stream) reconnectTime.add(Date.now() - asked)
    if (stream && missed) {
      const isWhole = await Promise.race([whole, pause(TIMEOUT_SECONDS).then(() => false)])
      resumed.add(isWhole)
      if (isWhole) resumeTime.add(Date.now() - asked)
    }
    catchUp(token)
  }
  stream?.close()
}
