import { type Person, World } from '@rookery/test-world'
import { mediaAttachment } from '@rookery/test-world/contract'
import { query, walk } from '@rookery/test-world/queries'
import {
  ahead,
  cancels,
  changes,
  DAY,
  expectRefusal,
  HOUR,
  MINUTE,
  SCHEDULED,
  saidBy,
  schedules,
  uploads,
  waiting,
} from '@rookery/test-world/scheduling'
import { faultsIn, flag, id, integer, listOf, moment, nothing, nullable, object, oneOf, text } from '@rookery/test-world/shape'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Statuses that wait, and drafts: what their author sees of them and may do with them (spec, Scheduled statuses; beyond-the-spec 1.10).

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())
beforeEach(async () => {
  await query(world, 'delete from statuses.scheduled_status')
})

const TOO_SOON = 'Validation failed: Scheduled at The scheduled date must be in the future'
const scheduledStatus = object({
  id,
  scheduled_at: nullable(moment),
  params: object({
    text: nullable(text),
    media_ids: nullable(listOf(id)),
    sensitive: nullable(flag),
    spoiler_text: nullable(text),
    visibility: nullable(oneOf('public', 'unlisted', 'private', 'direct')),
    language: nullable(text),
    scheduled_at: nothing,
    poll: nullable(object({ options: listOf(text), expires_in: integer, multiple: flag, hide_totals: flag })),
    idempotency: nothing,
    in_reply_to_id: nullable(id),
    quoted_status_id: nullable(id),
    quote_approval_policy: nullable(oneOf('public', 'followers', 'nobody')),
    application_id: integer,
  }),
  media_attachments: listOf(mediaAttachment),
})
const tries = (body: Record<string, unknown>) => mara.post('/api/v1/statuses', body)
const POLL = { options: ['green', 'black'], expires_in: 600 }

describe('scheduling', () => {
  test('answers with what waits, which no one else sees, and posts nothing', async () => {
    const at = ahead(world, HOUR)
    const [parent, file] = [await joel.says('tea?'), await uploads(mara)]
    const asked = { spoiler_text: 'tea', visibility: 'unlisted', language: 'de', sensitive: true, in_reply_to_id: parent.id }
    const kept = await mara.says('later', { ...asked, media_ids: [file], scheduled_at: at })
    expect(faultsIn(kept, scheduledStatus)).toEqual([])
    expect(kept).toMatchObject({
      scheduled_at: at,
      params: { text: 'later', ...asked, media_ids: [file], poll: null },
      media_attachments: [{ id: file }],
    })
    expect(await waiting(mara)).toEqual([kept])
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).body).toEqual(kept)
    expect(await saidBy(mara)).not.toContain('later')

    const missing = await joel.get(`${SCHEDULED}/1`)
    expect(missing).toMatchObject({ status: 404, body: { error: 'Record not found' } })
    expect(await joel.get(`${SCHEDULED}/${kept.id}`)).toMatchObject({ status: 404, text: missing.text })
    expect(await changes(joel, kept, { status: 'mine' })).toMatchObject({ status: 404, text: missing.text })
    expect(await cancels(joel, kept)).toMatchObject({ status: 404, text: missing.text })
    expect(await joel.post(`${SCHEDULED}/${kept.id}/publish`)).toMatchObject({ status: 404, text: missing.text })
    expect(await waiting(joel)).toEqual([])
    expect(await waiting(mara)).toEqual([kept])
  })

  test('says nothing of what was not asked for, and writes the id of the app as an integer', async () => {
    const answer = await tries({ status: 'plain', scheduled_at: ahead(world, HOUR) })
    expect(answer.body.params).toMatchObject({ media_ids: null, sensitive: null, spoiler_text: null, visibility: null, language: null })
    const { body: app } = await mara.get('/api/v1/apps/verify_credentials')
    expect(answer.text).toContain(`"application_id":${app.id}}`)
    expect(Number(app.id)).toBeLessThan(1_000_000)
  })

  test('keeps a poll as it was asked for', async () => {
    const kept = await schedules(world, mara, 'which?', { poll: { ...POLL, multiple: true } })
    expect(faultsIn(kept, scheduledStatus)).toEqual([])
    expect(kept.params.poll).toEqual({ ...POLL, multiple: true, hide_totals: false })
  })

  test.each(['2020-01-01T00:00:00Z', '2020-01-01', '2020-01-01T00:00:00+05:00'])('at %s, which has passed, means now', async (at) => {
    const said = await mara.says(`now ${at}`, { scheduled_at: at })
    expect(said.content).toBe(`<p>now ${at}</p>`)
    expect(await waiting(mara)).toEqual([])
  })

  test.each([10_000, 4 * MINUTE, 5 * MINUTE - 1500])('%i milliseconds ahead is too soon', async (milliseconds) => {
    expectRefusal(await tries({ status: 'soon', scheduled_at: ahead(world, milliseconds) }), 422, TOO_SOON)
    expect(await waiting(mara)).toEqual([])
  })

  test('five minutes ahead, to the second, is not', async () => {
    const second = Math.floor(world.clock.now() / 1000) * 1000
    const at = new Date(second + 5 * MINUTE + 1000).toISOString()
    expect((await tries({ status: 'on time', scheduled_at: at })).body).toMatchObject({ scheduled_at: at })
    const last = '9999-12-31T23:59:59.000Z'
    expect((await tries({ status: 'when we are gone', scheduled_at: last })).body).toMatchObject({ scheduled_at: last })
  })

  test.each(['teatime', '10000-01-01T00:00:00Z', '+010000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00', '2027-02-30T00:00:00Z', '1'])(
    '%s is no date',
    async (at) => expectRefusal(await tries({ status: 'never', scheduled_at: at }), 422, 'Invalid date supplied'),
  )

  test('is judged as posting is, and leaves nothing when refused', async () => {
    const scheduled_at = ahead(world, HOUR)
    const free = await uploads(mara)
    const cases: [Record<string, unknown>, number, string][] = [
      [{ status: '' }, 422, "Validation failed: Text can't be blank"],
      [{ status: 'x'.repeat(501) }, 422, 'Validation failed: Text character limit of 500 exceeded'],
      [{ status: 'x', poll: { ...POLL, options: ['1'] } }, 422, 'Validation failed: Choices must have more than one item'],
      [{ status: 'x', poll: { options: ['1', '2'] } }, 422, "Validation failed: Deadline can't be blank"],
      [{ status: 'x', poll: POLL, media_ids: [free] }, 422, 'Cannot attach more than 4 files'],
      [{ status: 'x', media_ids: ['1'] }, 422, 'Media 1 not found or already attached to another post'],
      [{ status: 'x', visibility: 'secret' }, 422, 'Validation failed: Visibility is not included in the list'],
      [{ status: 'x', in_reply_to_id: '1' }, 404, 'The post you are trying to reply to does not appear to exist.'],
    ]
    for (const [body, status, error] of cases) {
      expectRefusal(await tries({ ...body, scheduled_at }), status, error)
      expectRefusal(await tries({ ...body, draft: true }), status, error)
    }
    expectRefusal(
      await tries({ status: '', scheduled_at: ahead(world, MINUTE) }),
      422,
      `Validation failed: Text can't be blank, ${TOO_SOON.slice('Validation failed: '.length)}`,
    )
    expect(await waiting(mara)).toEqual([])
    expect(await mara.says('the file is free', { media_ids: [free] })).toMatchObject({ media_attachments: [{ id: free }] })
  })
})

describe('the list', () => {
  test('is paged by id, latest first, for the cost of two statements', async () => {
    const kept = []
    for (let index = 0; index < 5; index++)
      kept.push(await schedules(world, mara, `number ${index}`, { scheduled_at: ahead(world, DAY - index * MINUTE) }))
    const newest = kept.toReversed()
    expect(await waiting(mara)).toEqual(newest)
    expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
    expect(await walk(mara, `${SCHEDULED}?limit=2`)).toEqual([newest.slice(0, 2), newest.slice(2, 4), newest.slice(4)])
    expect(await waiting(mara, `?min_id=${kept[0].id}&limit=2`)).toEqual([kept[2], kept[1]])
    expect(await waiting(mara, `?since_id=${kept[2].id}`)).toEqual([kept[4], kept[3]])
    expect(await waiting(mara, '?limit=0')).toEqual([])
    await waiting(mara, '?limit=1')
    expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
    await mara.get(`${SCHEDULED}/${kept[0].id}`)
    expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
  })

  test('is not the only thing that costs little', async () => {
    const files = [await uploads(mara), await uploads(mara)]
    const kept = await schedules(world, mara, '@joel #tea', { media_ids: files })
    expect(world.lastRequest.hops).toBe(3)
    await changes(mara, kept, { status: 'tea' })
    expect(world.lastRequest.hops).toBe(2)
    await changes(mara, kept, { media_ids: files.slice(1) })
    expect(world.lastRequest.hops).toBe(3)
    await mara.post(`${SCHEDULED}/${kept.id}/publish`)
    expect(world.lastRequest).toEqual({ hops: 2, statements: 5 })
    const draft = await mara.says('tea', { draft: true })
    expect(world.lastRequest.hops).toBe(2)
    await mara.post(`${SCHEDULED}/${draft.id}/publish`)
    expect(world.lastRequest).toEqual({ hops: 2, statements: 4 })
  })

  test('holds forty at most', async () => {
    await query(
      world,
      `insert into statuses.scheduled_status (id, account_id, scheduled_at, text, spoiler_text, visibility, language, attachments, created_at)
       select n, $1, now() + n * interval '1 day', 'x', '', 0, '', '[]', now() from generate_series(1, 50) n`,
      [mara.id],
    )
    expect(await waiting(mara, '?limit=100')).toHaveLength(40)
    expect(await waiting(mara)).toHaveLength(20)
  })
})

describe('what one person may have waiting', () => {
  /** Fills up with rows on days of their own, from ten days ahead. */
  const fill = (count: number, { perDay = 1, from = 10 } = {}) =>
    query(
      world,
      `insert into statuses.scheduled_status (id, account_id, scheduled_at, text, spoiler_text, visibility, language, attachments, created_at)
       select n + 1, $1, date_trunc('day', $2::timestamptz, 'UTC') + interval '12 hours' + ($4::int + n / $3::int) * interval '1 day', 'x', '', 0, '', '[]', now()
       from generate_series(0, $5::int - 1) n`,
      [mara.id, new Date(world.clock.now()), perDay, from, count],
    )
  const FULL = 'Validation failed: You have exceeded the limit of 300 scheduled posts'
  const FULL_DAY = 'Validation failed: You have exceeded the limit of 25 scheduled posts for today'
  /** Noon, so many days ahead. */
  const noon = (days: number) => new Date((Math.floor(world.clock.now() / DAY) + days) * DAY + 12 * HOUR).toISOString()

  test('is 300 in all, drafts among them', async () => {
    await fill(299)
    await mara.says('the last one', { draft: true })
    expectRefusal(await tries({ status: 'too much', scheduled_at: noon(3) }), 422, FULL)
    expectRefusal(await tries({ status: 'too much', draft: true }), 422, FULL)
    expect((await joel.post('/api/v1/statuses', { status: 'mine', scheduled_at: noon(3) })).status).toBe(200)
  })

  test('is 25 for a day, by UTC, also when one is moved there', async () => {
    await fill(25, { perDay: 25 })
    expectRefusal(await tries({ status: 'too much', scheduled_at: noon(10) }), 422, FULL_DAY)
    const file = await uploads(mara)
    expectRefusal(await tries({ status: 'too much', scheduled_at: noon(10), media_ids: [file] }), 422, FULL_DAY)
    const other = await mara.says('the day before', { scheduled_at: noon(9).replace('12:00:00.000', '23:59:59.999'), media_ids: [file] })
    expectRefusal(await changes(mara, other, { scheduled_at: noon(10) }), 422, FULL_DAY)
    expect((await waiting(mara))[0]).toEqual(other)
    const [first] = (await waiting(mara, '?min_id=0&limit=1')) as { id: string }[]
    expect((await changes(mara, first!, { scheduled_at: noon(10).replace('12:', '13:') })).status).toBe(200)
  })

  test('is kept by twenty requests at once', async () => {
    await fill(24, { perDay: 25 })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => tries({ status: `${index}`, scheduled_at: noon(10) })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 422)])
    expect(await waiting(mara, '?limit=40')).toHaveLength(25)
  })
})

describe('an Idempotency-Key', () => {
  let last = 0
  const newKey = () => ({ 'Idempotency-Key': `key ${++last}` })

  test('answers with the same scheduled status, regardless of what else is said', async () => {
    const key = newKey()
    const kept = await mara.says('once', { scheduled_at: ahead(world, HOUR) }, key)
    expect(await mara.says('twice', { scheduled_at: ahead(world, 2 * HOUR), visibility: 'direct' }, key)).toEqual(kept)
    expect(await mara.says('a draft', { draft: true }, key)).toEqual(kept)
    expect(await mara.says('now', {}, key)).toEqual(kept)
    expect(await mara.says('by then', { scheduled_at: '2020-01-01T00:00:00Z' }, key)).toEqual(kept)
    expect(await mara.says('', { scheduled_at: ahead(world, MINUTE) }, key)).toEqual(kept)
    expect(await waiting(mara)).toEqual([kept])
    expect((await joel.says('mine', { draft: true }, key)).id).not.toBe(kept.id)
  })

  test('answers with the status it published, also when that is asked for later', async () => {
    const key = newKey()
    const said = await mara.says('said', {}, key)
    expect(await mara.says('scheduled', { scheduled_at: ahead(world, HOUR) }, key)).toMatchObject({ id: said.id, content: said.content })
    expect(await waiting(mara)).toEqual([])
  })

  test('answers with what the scheduled status has become', async () => {
    const key = newKey()
    const kept = await mara.says('soon', { scheduled_at: ahead(world, HOUR) }, key)
    const said = (await mara.post(`${SCHEDULED}/${kept.id}/publish`)).body
    expect(await mara.says('soon', { scheduled_at: ahead(world, HOUR) }, key)).toMatchObject({ id: said.id })
    expect(await mara.says('soon', {}, key)).toMatchObject({ id: said.id })
  })

  test('makes another when the first was cancelled or refused', async () => {
    const key = newKey()
    const kept = await mara.says('one', { scheduled_at: ahead(world, HOUR) }, key)
    await cancels(mara, kept)
    expect(await mara.says('two', { scheduled_at: ahead(world, HOUR) }, key)).toMatchObject({ params: { text: 'two' } })
    const other = newKey()
    expect((await mara.post('/api/v1/statuses', { status: '', draft: true }, other)).status).toBe(422)
    expect((await mara.post('/api/v1/statuses', { status: 'x', media_ids: ['1'], draft: true }, other)).status).toBe(422)
    expect(await mara.says('now', {}, other)).toMatchObject({ content: '<p>now</p>' })
  })

  test('makes one thing when ten requests send it at once', async () => {
    const key = newKey()
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, index) => mara.says(`${index}`, { scheduled_at: ahead(world, HOUR) }, key)),
    )
    expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(await waiting(mara)).toEqual([all[0]])
  })

  test('makes one thing when some of those schedule and others post', async () => {
    for (let round = 0; round < 5; round++) {
      const key = newKey()
      const requests = Array.from({ length: 8 }, (_, index) => {
        const when = index % 2 ? { scheduled_at: ahead(world, HOUR) } : {}
        return mara.says(`round ${round}`, when, key)
      })
      const ids = new Set((await Promise.all(requests)).map(({ id }) => id))
      expect(ids.size).toBe(1)
      const [posted, kept] = [await saidBy(mara), await waiting(mara)]
      const texts = [...posted, ...kept.map(({ params }: { params: { text: string } }) => params.text)]
      expect(texts.filter((each) => each === `round ${round}`)).toHaveLength(1)
    }
  })

  test('is forgotten after an hour', async () => {
    const key = newKey()
    const kept = await mara.says('one', { scheduled_at: ahead(world, 3 * HOUR) }, key)
    world.clock.advance(HOUR + 1000)
    const other = await mara.says('two', { scheduled_at: ahead(world, 3 * HOUR) }, key)
    expect(await waiting(mara)).toEqual([other, kept])
  })
})

describe('changing', () => {
  test('moves it', async () => {
    const kept = await schedules(world, mara, 'later')
    const at = ahead(world, 2 * HOUR)
    expect(await changes(mara, kept, { scheduled_at: at })).toMatchObject({ status: 200, body: { ...kept, scheduled_at: at } })
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).body).toEqual({ ...kept, scheduled_at: at })
  })

  test.each([
    [{ scheduled_at: '2020-01-01T00:00:00Z' }, TOO_SOON],
    [{ scheduled_at: 'teatime' }, 'Invalid date supplied'],
    [{ scheduled_at: '10000-01-01T00:00:00Z' }, 'Invalid date supplied'],
    [{ scheduled_at: '9999-12-31T23:59:59-01:00' }, 'Invalid date supplied'],
    [{ status: '' }, "Validation failed: Text can't be blank"],
    [{ status: 'x'.repeat(501) }, 'Validation failed: Text character limit of 500 exceeded'],
    [{ poll: { ...POLL, options: ['1'] } }, 'Validation failed: Choices must have more than one item'],
    [{ media_ids: ['1'] }, 'Media 1 not found or already attached to another post'],
    [{ visibility: 'secret' }, 'Validation failed: Visibility is not included in the list'],
    [{ in_reply_to_id: 'x' }, 'Validation failed: in_reply_to_id is not a valid id'],
  ])('to %j is refused and changes nothing', async (body, error) => {
    const kept = await schedules(world, mara, 'as it was')
    expectRefusal(await changes(mara, kept, body), 422, error)
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).body).toEqual(kept)
  })

  test('less than five minutes ahead, or to answer what is not there, is refused', async () => {
    const kept = await schedules(world, mara, 'as it was')
    expectRefusal(await changes(mara, kept, { scheduled_at: ahead(world, 4 * MINUTE) }), 422, TOO_SOON)
    expectRefusal(await changes(mara, kept, { in_reply_to_id: '1' }), 404, 'The post you are trying to reply to does not appear to exist.')
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).body).toEqual(kept)
  })

  test('changes all that is given and nothing else', async () => {
    const parent = await joel.says('tea?')
    const kept = await schedules(world, mara, 'later', { spoiler_text: 'tea', language: 'de' })
    const after = { ...kept, params: { ...kept.params, text: 'much later', visibility: 'private' } }
    expect((await changes(mara, kept, { status: 'much later', visibility: 'private' })).body).toEqual(after)
    const rest = { spoiler_text: '', sensitive: true, language: 'fr', in_reply_to_id: parent.id, poll: POLL }
    const params = { ...after.params, ...rest, spoiler_text: null, poll: { ...POLL, multiple: false, hide_totals: false } }
    expect((await changes(mara, kept, rest)).body).toEqual({ ...after, params })
    expect((await changes(mara, kept, {})).body).toEqual({ ...after, params })
    const bare = { ...params, in_reply_to_id: null, poll: null }
    expect((await changes(mara, kept, new URLSearchParams('in_reply_to_id=&poll[options][]='))).body).toEqual({ ...after, params: bare })
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).body).toEqual({ ...after, params: bare })
  })

  test('a poll leaves no room for files, nor files for a poll', async () => {
    const file = await uploads(mara)
    const kept = await schedules(world, mara, 'which?', { poll: POLL })
    expectRefusal(await changes(mara, kept, { media_ids: [file] }), 422, 'Cannot attach more than 4 files')
    const both = await changes(mara, kept, { media_ids: [file], poll: {} })
    expect(both.body).toMatchObject({ params: { poll: null, media_ids: [file] }, media_attachments: [{ id: file }] })
  })

  test('ten times at once leaves one of the ten', async () => {
    const kept = await schedules(world, mara, 'zero')
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => changes(mara, kept, { status: `text ${index}` })))
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const now = (await mara.get(`${SCHEDULED}/${kept.id}`)).body
    expect(answers.map(({ body }) => body)).toContainEqual(now)
  })
})

describe('cancelling', () => {
  test('answers with nothing, and nothing is left', async () => {
    const kept = await schedules(world, mara, 'never')
    expect(await cancels(mara, kept)).toMatchObject({ status: 200, text: '{}' })
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).status).toBe(404)
    expect((await cancels(mara, kept)).status).toBe(404)
    await world.advance(HOUR + 1000)
    expect(await saidBy(mara)).not.toContain('never')
  })
})

describe('a draft', () => {
  test('has no time, and is listed apart', async () => {
    const kept = await schedules(world, mara, 'with a time')
    const draft = await mara.says('without one', { draft: true, scheduled_at: ahead(world, HOUR) })
    expect(faultsIn(draft, scheduledStatus)).toEqual([])
    expect(draft).toMatchObject({ scheduled_at: null, params: { text: 'without one' } })
    expect(await waiting(mara)).toEqual([kept])
    expect(await waiting(mara, '?drafts=true')).toEqual([draft])
    expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
    expect((await mara.get(`${SCHEDULED}/${draft.id}`)).body).toEqual(draft)
    await world.advance(30 * DAY)
    expect(await saidBy(mara)).not.toContain('without one')
    expect(await waiting(mara, '?drafts=true&limit=5')).toEqual([draft])
  })

  test('is published when it gets a time, and not when that was taken away', async () => {
    const draft = await mara.says('some day', { draft: true })
    const at = ahead(world, HOUR)
    const timed = { ...draft, scheduled_at: at }
    expect((await changes(mara, draft, { scheduled_at: at })).body).toEqual(timed)
    expect((await changes(mara, draft, { draft: true })).body).toEqual(draft)
    await world.advance(HOUR + 1000)
    expect(await waiting(mara, '?drafts=true')).toEqual([draft])
    await changes(mara, draft, { scheduled_at: ahead(world, HOUR) })
    await world.advance(HOUR + 1000)
    expect(await waiting(mara, '?drafts=true')).toEqual([])
    expect((await saidBy(mara)).filter((each) => each === 'some day')).toHaveLength(1)
  })

  test('and what has a time are published at once when that is asked for', async () => {
    for (const more of [{ draft: true }, { scheduled_at: ahead(world, HOUR) }]) {
      const kept = await mara.says('at once', { ...more, visibility: 'unlisted' })
      const answer = await mara.post(`${SCHEDULED}/${kept.id}/publish`)
      expect(answer).toMatchObject({ status: 200, body: { content: '<p>at once</p>', visibility: 'unlisted', favourites_count: 0 } })
      expect((await mara.get(`/api/v1/statuses/${answer.body.id}`)).body).toEqual(answer.body)
      expect((await mara.get(`${SCHEDULED}/${kept.id}`)).status).toBe(404)
      expect((await mara.post(`${SCHEDULED}/${kept.id}/publish`)).status).toBe(404)
    }
    await world.advance(HOUR + 1000)
    expect((await saidBy(mara)).filter((each) => each === 'at once')).toHaveLength(2)
  })

  test('that cannot be posted stays, and says why', async () => {
    const parent = await joel.says('tea?')
    const draft = await mara.says('yes', { draft: true, in_reply_to_id: parent.id })
    await joel.asks('DELETE', `/api/v1/statuses/${parent.id}`)
    const refusal = 'The post you are trying to reply to does not appear to exist.'
    expectRefusal(await mara.post(`${SCHEDULED}/${draft.id}/publish`), 404, refusal)
    expect(await waiting(mara, '?drafts=true')).toEqual([draft])
    expect((await changes(mara, draft, { in_reply_to_id: '' })).body.params.in_reply_to_id).toBeNull()
    expect((await mara.post(`${SCHEDULED}/${draft.id}/publish`)).status).toBe(200)
  })
})
