import { type Person, World } from '@rookery/test-world'
import { cancels, DAY, schedules, uploads } from '@rookery/test-world/scheduling'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Files of deleted statuses, posted again (beyond-the-spec 1.10, Delete).

let world: World
let mara: Person
let media: pg.Client
beforeAll(async () => {
  world = await World.open()
  mara = await world.person('mara')
  media = new pg.Client({ connectionString: world.databaseUrl })
  await media.connect()
})
afterAll(async () => {
  await media.end()
  await world.close()
})
beforeEach(() => world.idle())

/** Runs while media gets no events: its consumers wait for their table. */
const withoutEvents = async (run: () => Promise<void>) => {
  await media.query('begin')
  await media.query('lock table media.processed_event in access exclusive mode')
  try {
    await run()
  } finally {
    await media.query('commit')
  }
  await world.idle()
}

/** Runs while the record of a file is locked. */
const withHeld = async (file: string, run: () => Promise<void>) => {
  await media.query('begin')
  await media.query('select from media.attachment where id = $1 for update', [file])
  try {
    await run()
  } finally {
    await media.query('commit')
  }
}

const deletes = async ({ id }: { id: string }, query = '') =>
  expect(await mara.asks('DELETE', `/api/v1/statuses/${id}${query}`)).toMatchObject({ status: 200 })
const edits = async ({ id }: { id: string }, mediaIds: readonly string[]) =>
  expect(await mara.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: 'edited', media_ids: mediaIds } })).toMatchObject({
    status: 200,
  })
const attach = (file: string) => mara.post('/api/v1/statuses', { status: 'again', media_ids: [file] })
const shows = (file: string) => ({ status: 200, body: { media_attachments: [{ id: file }] } })

describe('a file is free when what showed it was deleted, before anyone heard of that', () => {
  test('a status', async () => {
    const file = await uploads(mara)
    const status = await mara.says('once', { media_ids: [file] })
    await withoutEvents(async () => {
      await deletes(status)
      expect(await attach(file)).toMatchObject(shows(file))
    })
  })

  test('a status that was published and deleted unheard of', async () => {
    const file = await uploads(mara)
    await withoutEvents(async () => {
      await deletes(await mara.says('once', { media_ids: [file] }))
      expect(await attach(file)).toMatchObject(shows(file))
    })
  })

  test('a scheduled status', async () => {
    const file = await uploads(mara)
    await withoutEvents(async () => {
      expect(await cancels(mara, await schedules(world, mara, 'later', { media_ids: [file] }))).toMatchObject({ status: 200 })
      expect(await attach(file)).toMatchObject(shows(file))
    })
  })

  test('a status that was scheduled first', async () => {
    const file = await uploads(mara)
    await withoutEvents(async () => {
      const scheduled = await schedules(world, mara, 'later', { media_ids: [file] })
      const published = await mara.post(`/api/v1/scheduled_statuses/${scheduled.id}/publish`)
      await deletes(published.body)
      expect(await attach(file)).toMatchObject(shows(file))
    })
  })

  test('a status whose edits removed it', async () => {
    const file = await uploads(mara)
    const status = await mara.says('once', { media_ids: [file] })
    await withoutEvents(async () => {
      await edits(status, [])
      await deletes(status)
      expect(await attach(file)).toMatchObject(shows(file))
    })
  })

  test('and stays with what shows it then, regardless of what is heard of later', async () => {
    const [first, second, third] = [await uploads(mara), await uploads(mara), await uploads(mara)]
    const shown: { url: string }[] = []
    await withoutEvents(async () => {
      await deletes(await mara.says('once', { media_ids: [first] }))
      await cancels(mara, await schedules(world, mara, 'later', { media_ids: [second] }))
      const scheduled = await schedules(world, mara, 'later', { media_ids: [third] })
      await deletes((await mara.post(`/api/v1/scheduled_statuses/${scheduled.id}/publish`)).body)
      for (const file of [first, second, third]) shown.push((await attach(file)).body.media_attachments[0])
    })
    await world.advance(9 * DAY)
    for (const { url } of shown) expect(await world.get(new URL(url).pathname)).toMatchObject({ status: 200 })
    for (const file of [first, second, third]) expect(await attach(file)).toMatchObject({ status: 422 })
  })
})

describe('a refused edit', () => {
  let [file, other, id] = ['', '', '']
  beforeEach(async () => {
    file = await uploads(mara)
    other = await uploads(mara)
    await mara.asks('PUT', `/api/v1/media/${other}`, { body: { description: 'before' } })
    id = (await mara.says('once', { media_ids: [other] })).id
  })
  const refused = async (mediaIds: readonly string[], changes: readonly object[], status = 422) => {
    const body = { status: 'edited', media_ids: mediaIds, media_attributes: changes }
    expect(await mara.asks('PUT', `/api/v1/statuses/${id}`, { body })).toMatchObject({ status })
  }
  const descriptions = async () => {
    await world.idle()
    const shown = (await mara.get(`/api/v1/statuses/${id}`)).body.media_attachments
    const files = await Promise.all([other, file].map((each) => mara.get(`/api/v1/media/${each}`)))
    return [shown, files.map(({ body }) => body)].map((list) => list.map(({ description }: { description: string }) => description))
  }

  test('leaves the file free that it was to add', async () => {
    await refused([other, file], [{ id: other, description: 'a'.repeat(1501) }])
    expect(await attach(file)).toMatchObject(shows(file))
  })

  test('leaves all descriptions as they are when a file that it was to add is another’s, or one of them is too long', async () => {
    const { joel } = await world.cast('joel')
    const changes = [
      { id: other, description: 'after' },
      { id: file, description: 'after' },
    ]
    await refused([other, file, await uploads(joel)], changes)
    await refused([other, file], [...changes.slice(0, 1), { id: file, description: 'a'.repeat(1501) }])
    expect(await descriptions()).toEqual([['before'], ['before', null]])
  })
})

test('of several changes of a file by an edit, the last counts', async () => {
  const file = await uploads(mara)
  const { id } = await mara.says('once', { media_ids: [file] })
  const media_attributes = ['one', 'two'].map((description) => ({ id: file, description }))
  const body = { status: 'edited', media_ids: [file], media_attributes }
  expect((await mara.asks('PUT', `/api/v1/statuses/${id}`, { body })).body.media_attachments).toMatchObject([{ description: 'two' }])
})

describe('a file of a deleted status', () => {
  test('is not free while another status shows it', async () => {
    const [file, other] = [await uploads(mara), await uploads(mara)]
    await mara.says('stays', { media_ids: [file] })
    await deletes(await mara.says('goes', { media_ids: [other] }))
    expect(await attach(file)).toMatchObject({ status: 422 })
  })

  test('goes with it when that is asked for', async () => {
    const file = await uploads(mara)
    const status = await mara.says('once', { media_ids: [file] })
    await withoutEvents(async () => {
      await deletes(status, '?delete_media=true')
      expect(await attach(file)).toMatchObject({ status: 422 })
    })
    expect(await attach(file)).toMatchObject({ status: 422 })
  })

  test.each([
    ['that it showed', (file: string) => [file]],
    ['that an edit removed', () => []],
  ])('%s is freed by the event when media does not answer', async (_case, left) => {
    const file = await uploads(mara)
    const status = await mara.says('once', { media_ids: [file] })
    await edits(status, left(file))
    await world.idle()
    await withHeld(file, async () => {
      const begun = performance.now()
      await deletes(status)
      expect(performance.now() - begun).toBeGreaterThan(900)
    })
    await world.idle()
    expect(await attach(file)).toMatchObject(shows(file))
  })
})
