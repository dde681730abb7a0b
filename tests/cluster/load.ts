import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, ask, type Listener, type Person } from '@rookery/test-world'
import { expect } from 'vitest'
import { expectOnceEverywhere } from '../posting.ts'
import { fetchFile, pictureForm } from './journey.ts'
import { personIn } from './people.ts'
import type { Reach } from './reach.ts'

/** How long an app waits for an answer, in milliseconds. */
const TIMEOUT = 30_000
/** Between two things that the same person does: about fifteen requests a second in all. */
const BREATH = 200
/** What a WebSocket is closed with when its server goes, or when events may be missing on it (RFC 6455, 7.4.1; IANA's registry). */
const COME_BACK = [1001, 1012]
/** Every so many posts have a picture. */
const PICTURE_EVERY = 4

/** A request that was not answered as it should. */
export type Failed = { at: string; what: string; status: number; text: string }

/** People who post, read, like, sign up, follow and listen, until stopped. What fails is put down, and tried again. */
export type Load = {
  readonly failed: readonly Failed[]
  /** How streams ended before their users left: with a request to reconnect, or cut off. */
  readonly ends: readonly ('reconnect' | 'cut')[]
  readonly requests: () => number
  /** Resolves when so many more posts were acknowledged. */
  goesOn(posts: number): Promise<void>
  stop(): Promise<void>
  /** Posts that the open app heard of neither on its stream nor by what it read when it came back. */
  undelivered(): string[]
  /** Expects everything that was acknowledged to be there, once. */
  expectAllThere(): Promise<void>
}

type Acknowledged = { posts: string[]; favourites: string[]; newcomers: string[]; files: string[] }

const openLoad = (given: { author: Person; follower: Person; reach: Reach; clientToken: string }) => {
  const { author, follower, reach, clientToken } = given
  const failed: Failed[] = []
  const ends: ('reconnect' | 'cut')[] = []
  const acknowledged: Acknowledged = { posts: [], favourites: [], newcomers: [], files: [] }
  const heard = new Set<string>()
  let isPosting = true
  let isStopped = false
  let requests = 0
  const leaving = new AbortController()

  const putDown = (fault: Omit<Failed, 'at'>) =>
    failed.push({ ...fault, at: new Date().toISOString().slice(11, 23), text: fault.text.slice(0, 200) })

  /** Asks once; an answer that is none, or a fault of the server's, is put down. */
  const tries = async (what: string, act: () => Promise<Pick<Answer, 'status' | 'text' | 'body'>>) => {
    requests++
    const answer = await Promise.race([
      act().catch((error: Error) => ({ status: 0, text: String(error.cause ?? error), body: undefined })),
      pause(TIMEOUT, { status: 0, text: 'no answer', body: undefined }, { ref: false }),
    ])
    if (answer.status >= 200 && answer.status < 300) return answer
    putDown({ what, status: answer.status, text: answer.text })
    return undefined
  }
  /** Asks until it is answered as it should. */
  const insists = async (what: string, act: () => Promise<Pick<Answer, 'status' | 'text' | 'body'>>) => {
    for (;;) {
      const answer = await tries(what, act)
      if (answer) return answer
      await pause(BREATH)
    }
  }
  const again = async (act: (number: number) => Promise<unknown>, isWanted = () => !isStopped) => {
    for (let number = 0; isWanted(); number++) {
      await act(number)
      await pause(BREATH)
    }
  }

  const uploads = async (number: number) => {
    const { body } = await insists('upload', () => author.post('/api/v2/media', pictureForm(`picture ${number}`)))
    await expect
      .poll(() =>
        author.get(`/api/v1/media/${body.id}`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
    return body.id as string
  }
  const posts = async (number: number) => {
    const media = number % PICTURE_EVERY === 0 ? { media_ids: [await uploads(number)] } : {}
    const key = { 'idempotency-key': `${author.username}-${number}` }
    const status = { status: `@${follower.username} number ${number}`, ...media }
    const { body } = await insists('post', () => author.post('/api/v1/statuses', status, key))
    acknowledged.posts.push(body.id)
    for (const { url } of body.media_attachments) acknowledged.files.push(url)
  }
  const likes = async () => {
    const id = acknowledged.posts.at(-1)
    if (!id || acknowledged.favourites.includes(id)) return
    await insists('favourite', () => follower.post(`/api/v1/statuses/${id}/favourite`))
    acknowledged.favourites.push(id)
  }
  /** Signs up, each time under another name, and follows the author. */
  const joins = async () => {
    const username = `new_${randomBytes(6).toString('hex')}`
    const typed = { username, email: `${username}@example.org`, password: randomBytes(9).toString('hex'), agreement: true, locale: 'en' }
    const answer = await tries('sign up', () => ask(reach.origin, 'POST', '/api/v1/accounts', { token: clientToken, body: typed }))
    if (!answer) return
    const token = answer.body.access_token as string
    await insists('follow', () => ask(reach.origin, 'POST', `/api/v1/accounts/${author.id}/follow`, { token }))
    acknowledged.newcomers.push(username)
  }
  const READ = [
    '/api/v1/timelines/home',
    '/api/v1/notifications',
    '/api/v2/instance',
    '/auth/sign_in',
    '/api/v1/timelines/public?local=true',
    '/.well-known/oauth-authorization-server',
    '/api/v1/streaming/health',
  ]
  const reads = async (number: number) => {
    const file = acknowledged.files.at(-1)
    if (file && number % 8 === 7) {
      const fetched = async () => {
        const answer = await fetchFile(reach, file)
        return { status: answer.status, text: answer.ok ? '' : await answer.text(), body: undefined }
      }
      await tries('read a file', fetched)
      return
    }
    const path = READ[number % READ.length]!
    await tries(path, () => follower.get(path))
  }

  const hear = (listener: Listener) => {
    for (const { event, payload } of listener.frames) if (event === 'update') heard.add(JSON.parse(payload ?? '{}').id)
  }
  /** An open app: when its stream ends it comes back, and reads what it missed. */
  let listening: Listener | undefined
  const listens = async () => {
    const opened = await follower.listens('user').catch((error: Error) => {
      putDown({ what: 'open a stream', status: 0, text: String(error) })
      return undefined
    })
    if (!opened) return
    if (isStopped) return opened.close()
    listening = opened
    const missed = await insists('resume', () => follower.get('/api/v1/timelines/home?limit=40'))
    for (const { id } of missed.body) heard.add(id)
    const code = await opened.closed
    hear(opened)
    if (!isStopped) ends.push(COME_BACK.includes(code) ? 'reconnect' : 'cut')
  }

  /** The same over an event stream, which says itself after what time to come back. */
  const follows = async () => {
    const headers = { authorization: `Bearer ${follower.token}`, accept: 'text/event-stream' }
    const response = await fetch(`${reach.origin}/api/v1/streaming/user`, { headers, signal: leaving.signal }).catch(() => undefined)
    if (isStopped) return
    if (response?.status !== 200) {
      putDown({ what: 'open an event stream', status: response?.status ?? 0, text: (await response?.text()) ?? '' })
      return
    }
    let text = ''
    const decoder = new TextDecoder()
    try {
      for await (const bytes of response.body ?? []) text = (text + decoder.decode(bytes, { stream: true })).slice(-1000)
    } catch {
      text = ''
    }
    if (!isStopped) ends.push(/^retry: \d+$/m.test(text) ? 'reconnect' : 'cut')
  }

  const posting = again(posts, () => isPosting)
  const everyone = [posting, again(likes), again(reads), again(reads), again(joins), again(listens), again(follows)]
  const going = Promise.all(everyone)
  return {
    failed,
    ends,
    acknowledged,
    heard,
    requests: () => requests,
    goesOn: async (count: number) => {
      for (const wanted = acknowledged.posts.length + count; acknowledged.posts.length < wanted; ) await Promise.race([going, pause(50)])
    },
    stop: async () => {
      if (isStopped) return
      // The last post is acknowledged before the app leaves, and is heard or, on coming back, read.
      isPosting = false
      await posting
      const last = acknowledged.posts.at(-1)!
      const hasHeard = () => {
        if (listening) hear(listening)
        return heard.has(last)
      }
      await expect.poll(hasHeard).toBe(true)
      isStopped = true
      leaving.abort()
      await listening?.close()
      await going
    },
  }
}

/** Someone who posts, and someone who follows. */
const cast = async (namespace: string, reach: Reach, name: string) => {
  const author = await personIn(namespace, reach.origin, `${name}_author`)
  const follower = await personIn(namespace, reach.origin, `${name}_follower`)
  await follower.follows(author)
  const first = await author.says(`@${follower.username} first`)
  await expect.poll(() => follower.home().then((page) => page.map(({ id }) => id))).toContain(first.id)
  return { author, follower, first: first.id as string }
}

/** The token of an app of no one's, by which people sign up. */
const clientTokenOf = async ({ origin }: Reach): Promise<string> => {
  const redirect = 'urn:ietf:wg:oauth:2.0:oob'
  const scopes = 'read write follow'
  const { body: app } = await ask(origin, 'POST', '/api/v1/apps', { body: { client_name: 'Load', redirect_uris: redirect, scopes } })
  const { client_id, client_secret } = app
  const exchange = { grant_type: 'client_credentials', client_id, client_secret, redirect_uri: redirect, scope: scopes }
  return (await ask(origin, 'POST', '/oauth/token', { body: exchange })).body.access_token
}

/** The usernames of all who follow someone. */
const followersOf = async (account: Person): Promise<string[]> => {
  const names: string[] = []
  let path: string | undefined = `/api/v1/accounts/${account.id}/followers?limit=80`
  while (path) {
    const { body, headers }: Answer = await account.get(path)
    names.push(...body.map(({ username }: { username: string }) => username))
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    path = next && `${new URL(next).pathname}${new URL(next).search}`
  }
  return names
}

/** Starts a load with people of its own, named after what it is for. */
export const startLoad = async (namespace: string, reach: Reach, name: string): Promise<Load> => {
  const { author, follower, first } = await cast(namespace, reach, name)
  const clientToken = await clientTokenOf(reach)
  const load = openLoad({ author, follower, reach, clientToken })
  const { acknowledged, heard } = load
  const expectAllThere = async () => {
    await expectOnceEverywhere([first, ...acknowledged.posts], author, follower)
    for (const id of acknowledged.favourites)
      expect((await follower.get(`/api/v1/statuses/${id}`)).body).toMatchObject({ favourited: true, favourites_count: 1 })
    for (const file of acknowledged.files) expect([file, (await fetchFile(reach, file)).status]).toEqual([file, 200])
    const followers = await followersOf(author)
    expect(new Set(followers).size).toBe(followers.length)
    expect(acknowledged.newcomers.filter((name) => !followers.includes(name))).toEqual([])
  }
  await load.goesOn(5)
  return { ...load, expectAllThere, undelivered: () => acknowledged.posts.filter((id) => !heard.has(id)) }
}
