import { type Person, World } from '@rookery/test-world'
import { holding, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
let ines: Person

beforeAll(async () => {
  world = await World.open()
  const people = await world.cast('mara', 'joel', 'ines')
  mara = people.mara
  joel = people.joel
  ines = people.ines
  await joel.follows(mara)
  await world.idle()
})
afterAll(() => world.close())

const edit = (person: Person, status: { id: string }, body: Record<string, unknown>) =>
  person.asks('PUT', `/api/v1/statuses/${status.id}`, { body })

test('an edit replaces what was said, and keeps what it was', async () => {
  const said = await mara.says('tea is rady #tea', { spoiler_text: 'drinks', language: 'de' })
  const edited = await edit(mara, said, { status: 'tea is ready #Teatime' })
  expect(edited).toMatchObject({
    status: 200,
    body: { id: said.id, spoiler_text: '', sensitive: false, language: 'de', tags: [{ name: 'teatime' }], visibility: 'public' },
  })
  expect(edited.body.content).toContain('tea is ready')
  expect(edited.body.edited_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  const history = await world.get(`/api/v1/statuses/${said.id}/history`)
  expect(history.body).toMatchObject([
    { content: said.content, spoiler_text: 'drinks', sensitive: true, created_at: said.created_at, account: { id: mara.id } },
    {
      content: edited.body.content,
      spoiler_text: '',
      sensitive: false,
      created_at: edited.body.edited_at,
      media_attachments: [],
      emojis: [],
    },
  ])
  expect((await mara.get(`/api/v1/statuses/${said.id}/source`)).body).toEqual({
    id: said.id,
    text: 'tea is ready #Teatime',
    spoiler_text: '',
  })
  expect((await world.get('/api/v1/timelines/tag/teatime')).body).toMatchObject([{ id: said.id }])
  expect((await world.get('/api/v1/timelines/tag/tea')).body).toEqual([])
})

test('edits at once are each later than the one before, as other servers ignore an edit that is not', async () => {
  const said = await mara.says('zero')
  const edits = await Promise.all(Array.from({ length: 20 }, (_, index) => edit(mara, said, { status: `edit ${index}` })))
  expect(edits.map(({ status }) => status)).toEqual(Array(20).fill(200))
  const history: { content: string; created_at: string }[] = (await world.get(`/api/v1/statuses/${said.id}/history`)).body
  const times = history.map(({ created_at }) => created_at)
  expect(times).toEqual([...new Set(times)].sort())
  const { content, edited_at } = (await mara.get(`/api/v1/statuses/${said.id}`)).body
  expect(history).toHaveLength(21)
  expect(history.at(-1)).toMatchObject({ content, created_at: edited_at })
})

test('what was never edited has one revision, itself', async () => {
  const said = await mara.says('as it was')
  const history = await world.get(`/api/v1/statuses/${said.id}/history`)
  expect(history.body).toMatchObject([{ content: said.content, created_at: said.created_at }])
  expect(history.body).toHaveLength(1)
})

test('an edit that changes nothing makes no revision', async () => {
  const said = await mara.says('the same', { language: 'en' })
  const edited = await edit(mara, said, { status: 'the same' })
  expect(edited).toMatchObject({ status: 200, body: { edited_at: null } })
  expect((await world.get(`/api/v1/statuses/${said.id}/history`)).body).toHaveLength(1)
})

test('only the author edits, and within the limits', async () => {
  const said = await mara.says('mine')
  expect(await edit(joel, said, { status: 'yours' })).toMatchObject({ status: 404, body: { error: 'Record not found' } })
  expect(await edit(mara, said, { status: ' ' })).toMatchObject({ status: 422, body: { error: "Validation failed: Text can't be blank" } })
  expect(await edit(mara, said, { status: 'a'.repeat(501) })).toMatchObject({
    status: 422,
    body: { error: 'Validation failed: Text character limit of 500 exceeded' },
  })
  const boost = await joel.reacts('reblog', said)
  expect(await edit(joel, boost, { status: 'not a text' })).toMatchObject({ status: 404 })
  expect((await mara.get(`/api/v1/statuses/${said.id}`)).body.content).toBe(said.content)
})

test('an account no longer mentioned keeps access, though no longer listed', async () => {
  const said = await mara.says('psst @ines', { visibility: 'direct' })
  const edited = await edit(mara, said, { status: 'psst' })
  expect(edited.body.mentions).toEqual([])
  expect(await ines.get(`/api/v1/statuses/${said.id}`)).toMatchObject({ status: 200, body: { mentions: [] } })
  expect(await joel.get(`/api/v1/statuses/${said.id}`)).toMatchObject({ status: 404 })
})

test('who is newly mentioned is notified, and the earlier ones are not notified again', async () => {
  // Notifications of earlier tests must have arrived before they can be cleared.
  await world.idle()
  await ines.post('/api/v1/notifications/clear')
  const said = await mara.says('@joel look')
  await world.idle()
  await joel.post('/api/v1/notifications/clear')
  await edit(mara, said, { status: '@joel @ines look' })
  await world.idle()
  expect(await ines.notifications()).toMatchObject([{ type: 'mention', status: { id: said.id } }])
  expect(await joel.notifications()).toEqual([])
})

test('who boosted it is notified once of the latest edit', async () => {
  const said = await mara.says('first')
  await ines.reacts('reblog', said)
  await world.idle()
  await ines.post('/api/v1/notifications/clear')
  await edit(mara, said, { status: 'second' })
  await world.idle()
  await edit(mara, said, { status: 'third' })
  await world.idle()
  const notified = await ines.notifications()
  expect(notified).toMatchObject([{ type: 'update', account: { id: mara.id }, status: { id: said.id } }])
  expect(notified[0].status.content).toContain('third')
})

test('who boosted it and mutes the author is notified of edits again once the mute has expired', async () => {
  const { olga, pia } = await world.cast('olga', 'pia')
  const said = await olga.says('first')
  await pia.reacts('reblog', said)
  await pia.does('mute', olga, { duration: 60 })
  await edit(olga, said, { status: 'second' })
  await world.idle()
  expect(await pia.notifications()).toEqual([])
  world.clock.advance(61_000)
  await edit(olga, said, { status: 'third' })
  await world.idle()
  expect(await pia.notifications()).toMatchObject([{ type: 'update', status: { id: said.id } }])
})

test('who quotes it and mutes the author is notified of edits again once the mute has expired', async () => {
  const { ruth, sven } = await world.cast('ruth', 'sven')
  const said = await ruth.says('first')
  await sven.says('look', { quoted_status_id: said.id })
  await sven.does('mute', ruth, { duration: 60 })
  await edit(ruth, said, { status: 'second' })
  await world.idle()
  expect(await sven.notifications('?types[]=quoted_update')).toEqual([])
  world.clock.advance(61_000)
  await edit(ruth, said, { status: 'third' })
  await world.idle()
  expect(await sven.notifications('?types[]=quoted_update')).toHaveLength(1)
})

test('everyone who has it hears of the edit', async () => {
  const said = await mara.says('hear me #news')
  await world.idle()
  const home = await joel.listens('user')
  const everyone = await ines.listens('public')
  const tag = await ines.listens('hashtag', { tag: 'news' })
  await edit(mara, said, { status: 'hear me now #news' })
  for (const stream of [home, everyone, tag]) {
    const frame = await stream.hears(({ event }) => event === 'status.update')
    const status = JSON.parse(frame.payload ?? '')
    expect(status).toMatchObject({ id: said.id, content: expect.stringContaining('hear me now') })
    expect('favourited' in status).toBe(stream === home)
    await stream.close()
  }
  expect((await joel.home())[0]).toMatchObject({ id: said.id, content: expect.stringContaining('hear me now') })
})

test('an edit of mentions and language reaches those whose homes take the status now, while homes still have it as it was', async () => {
  const names = ['anna', 'foe', 'plain', 'muter', 'german', 'english', 'booster', 'shielded'] as const
  const { anna, foe, booster, ...people } = await world.cast(...names)
  const { plain, muter, german, english, shielded } = people
  for (const reader of [plain, muter]) await reader.follows(anna)
  await german.follows(anna, { languages: ['de'] })
  await english.follows(anna, { languages: ['en'] })
  // Has the status by a boost.
  await shielded.follows(booster)
  await muter.does('mute', foe)
  await shielded.does('block', foe)
  await world.idle()
  const said = await anna.says('hello', { language: 'en', visibility: 'unlisted' })
  await booster.reacts('reblog', said)
  await world.idle()
  const heard = await Promise.all(Object.values(people).map(async (person) => ({ person, stream: await person.listens('user') })))
  // Homes are changed behind this lock.
  const placing = await holding(world)
  await placing.query("select pg_advisory_xact_lock(4712, hashtext('statuses'))")
  await edit(anna, said, { status: 'hello @foe', language: 'de' })
  await untilSomeoneWaits(world)
  const frame = await heard[0]!.stream.hears(({ event }) => event === 'status.update')
  expect(JSON.parse(frame.payload!)).toMatchObject({ id: said.id, language: 'de' })
  await placing.end()
  await world.idle()
  for (const { person, stream } of heard) {
    const { id } = await person.says('that is all')
    await stream.hears(({ payload }) => payload?.includes(`"id":"${id}"`) ?? false)
    await stream.close()
  }
  const edits = heard.filter(({ stream }) => stream.frames.some(({ event }) => event === 'status.update'))
  expect(edits.map(({ person }) => person.username)).toEqual(['plain', 'german'])
})

test('twenty edits at once leave one state and every revision', async () => {
  const said = await mara.says('0')
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => edit(mara, said, { status: `edit ${index}` })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const history = (await world.get(`/api/v1/statuses/${said.id}/history`)).body
  expect(history).toHaveLength(21)
  expect((await world.get(`/api/v1/statuses/${said.id}`)).body.content).toBe(history.at(-1).content)
})

test('an edit and a deletion at once end with the status gone', async () => {
  const said = await mara.says('short life')
  const [edited, deleted] = await Promise.all([
    edit(mara, said, { status: 'longer life' }),
    mara.asks('DELETE', `/api/v1/statuses/${said.id}`),
  ])
  expect([200, 404]).toContain(edited.status)
  expect(deleted.status).toBe(200)
  expect((await mara.get(`/api/v1/statuses/${said.id}`)).status).toBe(404)
})

test('several statuses are read at once, without those one may not see', async () => {
  const open = await mara.says('open')
  const hidden = await mara.says('hidden', { visibility: 'direct' })
  const query = [open.id, hidden.id, '1', 'x'].map((id) => `id[]=${id}`).join('&')
  expect((await world.get(`/api/v1/statuses?${query}`)).body).toMatchObject([{ id: open.id }])
  expect((await mara.get(`/api/v1/statuses?${query}`)).body.map(({ id }: { id: string }) => id)).toEqual([open.id, hidden.id])
})

test('20 statuses are read at once, and more are refused', async () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `id[]=${index + 1}`).join('&')
  expect((await mara.get(`/api/v1/statuses?${ids(20)}`)).status).toBe(200)
  const { status, body } = await mara.get(`/api/v1/statuses?${ids(21)}`)
  expect({ status, body }).toEqual({ status: 422, body: { error: 'Validation failed: No more than 20 statuses can be asked for at once' } })
})

test('an edit that mentions people does not notify those who block someone it mentions or answers', async () => {
  const { tom, ulla, lena } = await world.cast('tom', 'ulla', 'lena')
  await ulla.does('block', tom)
  const asked = await tom.says('who else?')
  const beside = await lena.says('with @tom')
  const answer = await lena.says('this one', { in_reply_to_id: asked.id })
  for (const { id, text } of [
    { id: beside.id, text: 'with @tom and @ulla' },
    { id: answer.id, text: 'this one, @ulla' },
  ])
    await lena.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: text } })
  await world.idle()
  expect(await ulla.notifications('?types[]=mention')).toEqual([])
  await ulla.does('unblock', tom)
  const free = await lena.says('another')
  await lena.asks('PUT', `/api/v1/statuses/${free.id}`, { body: { status: 'another, @ulla' } })
  await world.idle()
  expect((await ulla.notifications('?types[]=mention')).map(({ status }) => status.id)).toEqual([free.id])
})
