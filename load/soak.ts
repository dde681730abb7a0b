import { check } from 'k6'
import http from 'k6/http'
import { Trend } from 'k6/metrics'
import { type Person, say, whoAmI } from './people.ts'
import { ask, read } from './requests.ts'
import { METRICS, SECONDS, USERS } from './settings.ts'
import { pause } from './stream.ts'

type Entry = { id: string; account: { id: string } }

/** People who post and read evenly all the time. */
export const soak = {
  executor: 'constant-vus' as const,
  exec: 'postAndRead',
  vus: USERS,
  duration: `${SECONDS}s`,
}

/** Beside them, one that looks at the memory of the server's processes. */
export const memory = {
  executor: 'constant-vus' as const,
  exec: 'watchMemory',
  vus: 1,
  duration: `${SECONDS}s`,
}

const growth = new Trend('memory_growth')

export const soakThresholds = {
  'http_req_failed{scenario:soak}': ['rate<0.01'],
  // The last quarter against the second: by then caches are full.
  memory_growth: ['med<1.1'],
  'checks{scenario:memory}': ['rate>0.99'],
}

const WORDS = 'birds sing in hedges early and late, and no one has counted them yet; '

/** A post of some length, unlike others. */
const postOf = () => `${Math.random().toString(36)} ${WORDS.repeat(1 + Math.floor(Math.random() * 5))}`

/** One look: a post, the home and the public timeline, a thread and a profile. */
const look = (person: Person) => {
  const { token } = person
  say(person, postOf())
  const home = read<Entry[]>(ask('GET', '/api/v1/timelines/home', { token, query: { limit: '40' } })) ?? []
  const last = home.at(-1)
  if (last) ask('GET', '/api/v1/timelines/home', { token, query: { limit: '40', max_id: last.id } })
  const found = read<Entry[]>(ask('GET', '/api/v1/timelines/public', { token, query: { limit: '40' } })) ?? []
  const some = found[Math.floor(Math.random() * found.length)]
  if (!some) return
  ask('GET', `/api/v1/statuses/${some.id}/context`, { token })
  ask('GET', `/api/v1/accounts/${some.account.id}/statuses`, { token, query: { limit: '40' } })
}

export const postAndRead = async () => {
  look(whoAmI())
  await pause(0.5 + Math.random())
}

const LOOK_SECONDS = 2

/** Resident memory of all processes together, in bytes; undefined when one does not say. */
const residentBytes = (): number | undefined => {
  const each = METRICS.map((url) => {
    const text = http.get(url, { responseType: 'text', tags: { name: 'metrics' } }).body
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(String(text))?.[1])
  })
  const sum = each.reduce((total, bytes) => total + bytes, 0)
  return sum > 0 ? sum : undefined
}

const middleOf = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

let startedAt: number | undefined
const early: number[] = []

/** Compares what is held in the last quarter with what was held in the second. */
export const watchMemory = async () => {
  startedAt ??= Date.now()
  const bytes = residentBytes()
  check(bytes, { 'memory was reported': (reported) => reported !== undefined })
  const part = (Date.now() - startedAt) / 1000 / SECONDS
  if (bytes !== undefined && part >= 0.25 && part < 0.5) early.push(bytes)
  const before = middleOf(early)
  if (bytes !== undefined && before !== undefined && part >= 0.75) growth.add(bytes / before)
  await pause(LOOK_SECONDS)
}
