import { ask, type Person } from '@rookery/test-world'
import { expect } from 'vitest'
import { openDatabase } from '../../packages/database/src/index.ts'
import { pauseRelay } from '../../packages/events/src/index.ts'
import { personOf } from '../local-people.ts'

type Server = { origin: string; dataDir: string }
type UrlOf = (role: string) => string

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const TIMEOUT = 60_000

const upload = async (origin: string, person: Person): Promise<{ id: string; url: string }> => {
  const form = new FormData()
  form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png')
  form.set('description', 'a dot')
  const answer = await fetch(`${origin}/api/v2/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { id: string; url: string }
}

const bytesOf = async (origin: string, url: string) => {
  const answer = await fetch(`${origin}${new URL(url).pathname}`)
  return [answer.status, Buffer.from(await answer.arrayBuffer()).toString('base64')]
}

/** The statuses that notified someone by a mention, page by page. */
const mentionedIn = async (person: Person): Promise<string[]> => {
  const ids: string[] = []
  for (let last = ''; ; ) {
    const page = await person.notifications(`?types[]=mention&limit=80${last && `&max_id=${last}`}`)
    ids.push(...page.map(({ status }) => status.id))
    if (page.length === 0) return ids
    last = page.at(-1).id
  }
}

/** A page that begins at a status. */
const from = (id: string) => `?limit=1&max_id=${BigInt(id) + 1n}`

/** What people did before a backup, and how to see that all of it is back. */
export type Life = {
  /** Someone who goes on posting. */
  readonly author: Person
  readonly follower: Person
  /** The author posts something of which the follower is notified only when the relays resume. */
  saysWhileHeld(urlOf: UrlOf): Promise<{ letGo(): Promise<void> }>
  /** Expects everything to be as it was, and what was still to come to come. */
  expectBack(urlOf: UrlOf): Promise<void>
}

const expectPublishedOnTime = async ({ author, scheduled, urlOf }: { author: Person; scheduled: string; urlOf: UrlOf }) => {
  expect((await author.get('/api/v1/scheduled_statuses')).body.map(({ id }: { id: string }) => id)).toEqual([scheduled])
  // No request may make it due sooner: its time and that of the job, which came back with it, are moved.
  const at = Date.now()
  const database = openDatabase({ url: urlOf('statuses'), connections: 1 })
  await database.pool.query('update statuses.scheduled_status set scheduled_at = $2 where id = $1', [scheduled, new Date(at)])
  const text = 'update statuses_jobs._private_jobs set run_at = $2, payload = $3 where key = $1'
  const moved = await database.pool.query(text, [`scheduled:${scheduled}`, new Date(at), JSON.stringify({ id: scheduled, at })])
  await database.close()
  expect(moved.rowCount).toBe(1)
  const said = async () => (await author.home()).map(({ content }) => content as string)
  await expect.poll(said, { timeout: TIMEOUT }).toContain('<p>on time</p>')
}

/** Has two people do a bit of everything. */
export const live = async (server: Server): Promise<Life> => {
  const author = await personOf(server, 'author')
  const follower = await personOf(server, 'follower')
  await follower.follows(author)
  const file = await upload(server.origin, author)
  const picture = await author.says('@follower look', { media_ids: [file.id] })
  const list = (await follower.post('/api/v1/lists', { title: 'birds' })).body
  await follower.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [author.id] })
  await follower.reacts('favourite', picture)
  await follower.reacts('bookmark', picture)
  const poll = await author.says('tea?', { poll: { options: ['yes', 'no'], expires_in: 86_400 } })
  await follower.post(`/api/v1/polls/${poll.poll.id}/votes`, { choices: [0] })
  const answer = await author.post('/api/v1/statuses', {
    status: 'on time',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const scheduled: string = answer.body.id
  const mentioned = () => mentionedIn(follower)
  await expect.poll(mentioned, { timeout: TIMEOUT }).toContain(picture.id)
  const before = await bytesOf(server.origin, file.url)
  const [{ url }] = (await author.get(`/api/v1/statuses/${picture.id}`)).body.media_attachments
  let held: { id: string } | undefined

  return {
    author,
    follower,
    async saysWhileHeld(urlOf) {
      const database = openDatabase({ url: urlOf('statuses'), connections: 1 })
      const client = await database.pool.connect()
      const hold = await pauseRelay(client)
      held = await author.says('@follower did you hear?')
      return {
        async letGo() {
          await hold.resume()
          client.release()
          await database.close()
        },
      }
    },
    async expectBack(urlOf) {
      const shown = (await follower.get(`/api/v1/statuses/${picture.id}`)).body
      expect(shown).toMatchObject({ favourited: true, bookmarked: true, favourites_count: 1 })
      expect(shown.media_attachments[0]).toMatchObject({ url, description: 'a dot' })
      expect(await bytesOf(server.origin, file.url)).toEqual(before)
      expect((await follower.get(`/api/v1/polls/${poll.poll.id}`)).body).toMatchObject({ voted: true, votes_count: 1 })
      expect((await follower.get('/api/v1/lists')).body).toMatchObject([{ id: list.id, title: 'birds' }])
      expect((await follower.get(`/api/v1/timelines/list/${list.id}${from(picture.id)}`)).body).toMatchObject([{ id: picture.id }])
      expect(await mentioned()).toContain(picture.id)
      if (held) {
        const { id } = held
        await expect.poll(() => follower.home(from(id)), { timeout: TIMEOUT }).toMatchObject([{ id }])
        await expect.poll(mentioned, { timeout: TIMEOUT }).toContain(id)
      }
      const stranger = await ask(server.origin, 'GET', '/api/v1/timelines/home', { token: 'nobody' })
      expect(stranger.status).toBe(401)
      await expectPublishedOnTime({ author, scheduled, urlOf })
    },
  }
}
