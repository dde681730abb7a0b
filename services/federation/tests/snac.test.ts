import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, World } from '@rookery/test-world'
import { moves, names } from '@rookery/test-world/moving'
import { afterAll, beforeAll, describe, type ExpectStatic, it, vi } from 'vitest'
import { hasSnac, snacTests, startSnac } from './snac.ts'
import { found, relationship } from './two-servers.ts'

// The other server processes its queue every few seconds of real time.
vi.setConfig({ testTimeout: 150_000, hookTimeout: 60_000, maxConcurrency: 8 })

const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64')

// biome-ignore lint/suspicious/noExplicitAny: tests look at what two servers store
type Json = any

describe.skipIf(!hasSnac)(snacTests('a stranger: snac'), () => {
  let world: World
  let snac: Awaited<ReturnType<typeof startSnac>>
  let folder: string
  let mara: Person
  let ben: Json
  let maraUri: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-snac-files-'))
    world = await World.open({ settings: { FEDERATION_ALLOW_PRIVATE: 'true' } })
    snac = await startSnac('ben')
    mara = await world.person('mara')
    maraUri = `${world.address}/users/mara`
  })

  afterAll(async () => {
    await snac?.close()
    await world?.close()
    await rm(folder, { recursive: true, force: true })
  })

  let round: Promise<void> | undefined
  /** One round that all waiting tests share, because jobs run one at a time. */
  const advance = () => {
    round ??= world.advance(0).finally(() => {
      round = undefined
    })
    return round
  }
  const there = (id: string): Json => snac.timeline().find((object) => object.id === id)
  const here = async (text: string): Promise<Json> => (await mara.home('?limit=40')).find(({ content }) => content.includes(text))
  const read = async (id: string): Promise<Json> => (await mara.get(`/api/v1/statuses/${id}`)).body
  const noticesOf = async (type: string): Promise<Json[]> => mara.notifications(`?types[]=${type}`)

  /** Waits with a test's own `expect`, because several tests wait at the same time. */
  const waitingBy = (expect: ExpectStatic) => {
    /** Polls a value after both servers have processed pending work. */
    const soon = (look: () => unknown) =>
      expect.poll(
        async () => {
          await advance()
          return look()
        },
        { timeout: 40_000, interval: 300 },
      )

    /** Posts a status of mara and waits for its arrival. */
    const posted = async (text: string, more: object = {}): Promise<Json> => {
      const status = await mara.says(text, { ...more })
      await soon(() => there(status.uri)?.type).toBe('Note')
      return status
    }

    /** Posts a note of ben and waits for its arrival. */
    const noted = async (text: string, ...files: string[]): Promise<Json> => {
      await snac.does('note', text, ...files)
      await soon(async () => (await here(text))?.account.acct).toBe(ben.acct)
      return here(text)
    }
    return { soon, posted, noted }
  }

  it('follows someone here and is accepted', async ({ expect }) => {
    const { soon } = waitingBy(expect)
    await snac.does('follow', maraUri)
    await soon(() => snac.following().map(({ type }) => type)).toContain('Accept')
    await soon(async () => (await noticesOf('follow')).map(({ account }) => account.username)).toEqual(['ben'])
  })

  it('is found by its handle, followed, and accepts', async ({ expect }) => {
    const { soon } = waitingBy(expect)
    ben = await found(mara, snac.handle)
    expect(ben).toMatchObject({ username: 'ben', acct: snac.handle.slice(1), uri: snac.uri })
    await mara.post(`/api/v1/accounts/${ben.id}/follow`)
    await soon(() => relationship(mara, ben)).toMatchObject({ following: true, followed_by: true })
    expect(snac.followers().map(({ id }) => id)).toEqual([maraUri])
  })

  // Concurrent, because each waits for the other server several times.
  describe.concurrent('of those who follow each other', () => {
    it('a post arrives on either side', async ({ expect }) => {
      const { posted, noted } = waitingBy(expect)
      const status = await posted('hello from **here** <b>')
      expect(there(status.uri)).toMatchObject({ attributedTo: maraUri, content: status.content })
      const note = await noted('hello from there')
      expect(note).toMatchObject({ visibility: 'public', account: { acct: ben.acct } })
    })

    it('a reply arrives below what it answers, on either side', async ({ expect }) => {
      const { soon, posted } = waitingBy(expect)
      const status = await posted('who answers?')
      await snac.writes('I answer', { in_reply_to: status.uri })
      await soon(async () => (await mara.get(`/api/v1/statuses/${status.id}/context`)).body.descendants.length).toBe(1)
      const [reply] = (await mara.get(`/api/v1/statuses/${status.id}/context`)).body.descendants
      expect(reply).toMatchObject({ in_reply_to_id: status.id, account: { acct: ben.acct } })
      const answer = await posted(`${snac.handle} thanks`, { in_reply_to_id: reply.id })
      expect(there(answer.uri).inReplyTo).toBe(reply.uri)
    })

    it('a favourite is counted on either side, and taken back', async ({ expect }) => {
      const { soon, posted, noted } = waitingBy(expect)
      const status = await posted('like me')
      await snac.presses('Like', status.uri, maraUri)
      await soon(async () => (await read(status.id)).favourites_count).toBe(1)
      await snac.presses('Unlike', status.uri, maraUri)
      await soon(async () => (await read(status.id)).favourites_count).toBe(0)
      const note = await noted('like ben')
      await mara.reacts('favourite', note)
      await soon(() => snac.count('l', note.uri)).toBe(1)
      await mara.reacts('unfavourite', note)
      await soon(() => snac.count('l', note.uri)).toBe(0)
    })

    // snac keeps a boost that is undone: others send Undo and Announce when one account boosts a status that another one has boosted.
    it('a boost is counted on either side, and taken back here', async ({ expect }) => {
      const { soon, posted, noted } = waitingBy(expect)
      const status = await posted('boost me')
      await snac.does('boost', status.uri)
      await soon(async () => (await read(status.id)).reblogs_count).toBe(1)
      await snac.does('unboost', status.uri)
      await soon(async () => (await read(status.id)).reblogs_count).toBe(0)
      const note = await noted('boost ben')
      await mara.reacts('reblog', note)
      await soon(() => snac.count('a', note.uri)).toBe(1)
    })

    it('an edit changes the post on either side', async ({ expect }) => {
      const { soon, posted, noted } = waitingBy(expect)
      const status = await posted('one robbin')
      await mara.asks('PUT', `/api/v1/statuses/${status.id}`, { body: { status: 'one robin' } })
      await soon(() => there(status.uri)?.content).toContain('one robin')
      const note = await noted('one sparow')
      await snac.writes('one sparrow', { edit_id: note.uri })
      await soon(async () => (await read(note.id)).content).toContain('one sparrow')
      expect((await read(note.id)).edited_at).not.toBeNull()
    })

    it('an image comes with its description, on either side', async ({ expect }) => {
      const { posted, noted } = waitingBy(expect)
      const form = new FormData()
      form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png')
      form.set('description', 'a red dot')
      const { id, url } = (await mara.post('/api/v2/media', form)).body
      const status = await posted('with a dot', { media_ids: [id] })
      expect(there(status.uri).attachment).toMatchObject([{ url, name: 'a red dot', mediaType: 'image/png' }])
      const file = join(folder, 'dot.png')
      await writeFile(file, PIXEL)
      const note = await noted('with a dot of mine', file)
      expect(note.media_attachments).toMatchObject([{ type: 'image' }])
      const shown = await fetch(note.media_attachments[0].url)
      expect(shown.headers.get('content-type')).toMatch(/^image\//)
    })

    it('a deletion takes the post away on either side', async ({ expect }) => {
      const { soon, posted, noted } = waitingBy(expect)
      const status = await posted('soon gone')
      await mara.asks('DELETE', `/api/v1/statuses/${status.id}`)
      await soon(() => there(status.uri)).toBeUndefined()
      const note = await noted('gone soon')
      await snac.presses('Delete', note.uri, snac.uri)
      await soon(async () => (await mara.get(`/api/v1/statuses/${note.id}`)).status).toBe(404)
    })

    it('a poll is voted in on either side, and each counts the vote', async ({ expect }) => {
      const { soon } = waitingBy(expect)
      const asked = await mara.says('tea or milk?', { poll: { options: ['tea', 'milk'], expires_in: 3600 } })
      await soon(() => there(asked.uri)?.type).toBe('Question')
      await snac.votes('milk', asked.uri, maraUri)
      const tally = async (id: string) => (await read(id)).poll.options.map((option: Json) => option.votes_count)
      await soon(() => tally(asked.id)).toEqual([0, 1])

      await snac.writes('cup or mug?', { poll_options: 'cup\nmug', poll_multiple: 'off', poll_end_secs: '3600' })
      await soon(async () => (await here('cup or mug?'))?.poll.options.map(({ title }: Json) => title)).toEqual(['cup', 'mug'])
      const { id, uri, poll } = await here('cup or mug?')
      await mara.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
      await soon(() => there(uri).oneOf.map((option: Json) => option.replies?.totalItems ?? 0)).toEqual([0, 1])
      await soon(() => tally(id)).toEqual([0, 1])
    })

    it('what is for followers alone reaches ben, and no page of his shows it', async ({ expect }) => {
      const { posted } = waitingBy(expect)
      const status = await posted('for followers', { visibility: 'private' })
      expect(await (await fetch(snac.uri)).text()).not.toContain('for followers')
      expect((await fetch(status.uri, { headers: { accept: 'application/activity+json' } })).status).toBe(404)
    })
  })

  it('who moves there brings their followers there along', async ({ expect }) => {
    const { soon } = waitingBy(expect)
    const old = await world.person('old')
    const oldUri = `${world.address}/users/old`
    const next = await snac.adds('next')
    await snac.does('follow', oldUri)
    await soon(() => snac.following().find(({ actor }) => actor === oldUri)?.type).toBe('Accept')
    await next.does('alias', oldUri)
    expect((await moves(world, old, next.handle)).text).toContain('You have moved.')
    await soon(() => snac.following().flatMap(({ object }) => [object?.object ?? object])).toContain(next.uri)
  })

  it('who moves here brings their followers here along', async ({ expect }) => {
    const { soon } = waitingBy(expect)
    const fay = await world.person('fay')
    const roy = await snac.adds('roy')
    const royHere = await found(mara, roy.handle)
    await mara.post(`/api/v1/accounts/${royHere.id}/follow`)
    await soon(() => relationship(mara, royHere)).toMatchObject({ following: true })
    expect((await names(world, fay, roy.handle)).text).toContain('It can move here now.')
    await roy.does('alias', `${world.address}/users/fay`)
    await roy.does('migrate')
    await soon(() => relationship(mara, fay)).toMatchObject({ following: true })
    expect(await relationship(mara, royHere)).toMatchObject({ following: false })
    expect((await mara.get(`/api/v1/accounts/${royHere.id}`)).body.moved).toMatchObject({ id: fay.id })
  })

  it('an unfollow ends what is sent, on either side', async ({ expect }) => {
    const { soon } = waitingBy(expect)
    await snac.does('unfollow', maraUri)
    await soon(() => relationship(mara, ben)).toMatchObject({ followed_by: false })
    await mara.post(`/api/v1/accounts/${ben.id}/unfollow`)
    await soon(() => snac.followers()).toEqual([])
  })
})
