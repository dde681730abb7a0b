import { check } from 'k6'
import { type Person, say, whoAmI } from './people.ts'
import { ask, read } from './requests.ts'
import { SECONDS, USERS } from './settings.ts'
import { openStream, pause } from './stream.ts'

type Entry = { id: string }

/** Everyone wakes up within a quarter of the time and reads, with a stream open, until the last quarter. */
export const morningRush = {
  executor: 'ramping-vus' as const,
  exec: 'lookAround',
  startVUs: 0,
  stages: [
    { duration: `${Math.ceil(SECONDS / 4)}s`, target: USERS },
    { duration: `${Math.ceil(SECONDS / 2)}s`, target: USERS },
    { duration: `${Math.ceil(SECONDS / 4)}s`, target: 0 },
  ],
  gracefulRampDown: '30s',
}

export const morningRushThresholds = {
  'http_req_failed{scenario:morningRush}': ['rate<0.01'],
  'http_req_duration{scenario:morningRush,name:GET /api/v1/timelines/home}': ['p(95)<300', 'p(99)<1000'],
  'http_req_duration{scenario:morningRush,name:GET /api/v1/notifications}': ['p(95)<300', 'p(99)<1000'],
  'http_req_duration{scenario:morningRush,name:GET /api/v1/markers}': ['p(95)<300', 'p(99)<1000'],
}

/** How long people read before they go on, in seconds. */
const reading = () => pause(2 + Math.random() * 4)

/** What an app asks when it is opened; the home it shows. */
const openApp = ({ token }: Person): Entry[] => {
  ask('GET', '/api/v1/accounts/verify_credentials', { token })
  ask('GET', '/api/v1/markers', { token, query: { 'timeline[]': 'home' } })
  ask('GET', '/api/v1/notifications', { token, query: { limit: '40' } })
  const home = read<Entry[]>(ask('GET', '/api/v1/timelines/home', { token, query: { limit: '40' } }))
  check(home, { 'home was shown': (shown) => shown !== undefined })
  return home ?? []
}

/** One look: opens the app, reads two pages, likes something now and then, writes seldom, and notes how far it read. */
export const lookAround = async () => {
  const person = whoAmI()
  const { token } = person
  const stream = await openStream(token)
  check(stream, { 'stream was opened': (opened) => opened !== undefined })
  const home = openApp(person)
  await reading()
  const last = home.at(-1)
  if (last) ask('GET', '/api/v1/timelines/home', { token, query: { limit: '40', max_id: last.id } })
  await reading()
  const [first] = home
  if (first && Math.random() < 0.2) ask('POST', `/api/v1/statuses/${first.id}/favourite`, { token, body: {} })
  if (Math.random() < 0.1) say(person, 'What a morning')
  if (first) ask('POST', '/api/v1/markers', { token, body: { 'home[last_read_id]': first.id } })
  await reading()
  stream?.close()
}
