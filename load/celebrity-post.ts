import exec from 'k6/execution'
import { Rate, Trend } from 'k6/metrics'
import { type Person, say, signUp, whoAmI } from './people.ts'
import { ask, read } from './requests.ts'
import { SECONDS, USERS } from './settings.ts'
import { openStream, pause } from './stream.ts'

/** From the moment a post is sent to the moment a follower's stream sends it. */
const delay = new Trend('celebrity_post_delay', true)
/** Whether a follower's stream sent a post that was made while it was open. */
const heard = new Rate('celebrity_post_heard')

/** The first quarter is for followers to come, the last seconds for the last post to arrive. */
const FIRST_SECOND = Math.ceil(SECONDS / 4)
const EVERY_SECONDS = 10
const LAST_SECONDS = 8

/** Everyone follows one person and listens. */
export const celebrityFollowers = {
  executor: 'per-vu-iterations' as const,
  exec: 'followCelebrity',
  vus: USERS,
  iterations: 1,
  maxDuration: `${SECONDS + 60}s`,
}

/** That person posts every ten seconds. */
export const celebrity = {
  executor: 'constant-arrival-rate' as const,
  exec: 'postToEverybody',
  rate: 1,
  timeUnit: `${EVERY_SECONDS}s`,
  duration: `${Math.max(EVERY_SECONDS, SECONDS - FIRST_SECOND - LAST_SECONDS)}s`,
  preAllocatedVUs: 1,
  maxVUs: 2,
}

export const celebrityThresholds = {
  celebrity_post_delay: ['p(95)<2000'],
  celebrity_post_heard: ['rate>0.99'],
  'http_req_failed{scenario:celebrityFollowers}': ['rate<0.01'],
}

/** When the person posts, after the scene has begun. */
export const celebrityStart = FIRST_SECOND

/** Makes the person everyone will follow, or takes the first of the list; undefined when neither can be. */
export const openCelebrity = (listed: string | undefined): Person | undefined => {
  if (!listed) return signUp()
  const account = read<{ id: string }>(ask('GET', '/api/v1/accounts/verify_credentials', { token: listed }))
  return account && { id: account.id, token: listed }
}

export const postToEverybody = ({ celebrity: person }: { celebrity: Person }) => say(person, `Sent at ${Date.now()}`)

/** One of five looks at once at what is new. */
const lookAtOnce = (token: string) => {
  if (Math.random() < 0.2) ask('GET', '/api/v1/timelines/home', { token })
}

/** Compares what was streamed with what was posted meanwhile. Times are milliseconds since 1970. */
const judge = ({ id, token }: { id: string; token: string }, ids: ReadonlySet<string>, since: number, until: number) => {
  const query = { limit: '40', exclude_replies: 'true' }
  const posts = read<{ id: string; content: string }[]>(ask('GET', `/api/v1/accounts/${id}/statuses`, { token, query })) ?? []
  for (const post of posts) {
    const sent = Number(/Sent at (\d+)/.exec(post.content)?.[1])
    if (sent > since && sent < until) heard.add(ids.has(post.id))
  }
}

/** Follows, listens until the scene ends, and compares what was heard with what was posted. */
export const followCelebrity = async ({ celebrity: followed }: { celebrity: Person }) => {
  const { token } = whoAmI()
  ask('POST', `/api/v1/accounts/${followed.id}/follow`, { token, body: {} })
  const ids = new Set<string>()
  const stream = await openStream(token, {
    hear: ({ id, content, account }) => {
      if (account.id !== followed.id) return
      ids.add(id)
      delay.add(Date.now() - Number(/Sent at (\d+)/.exec(content)?.[1]))
      lookAtOnce(token)
    },
  })
  const opened = Date.now()
  const until = exec.scenario.startTime + SECONDS * 1000
  await pause(Math.max(0, until - opened) / 1000)
  if (stream) judge({ id: followed.id, token }, ids, opened, until - (LAST_SECONDS / 2) * 1000)
  else heard.add(false)
  stream?.close()
}
