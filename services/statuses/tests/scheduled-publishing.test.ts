import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { holding, query, runJob, untilSomeoneWaits } from '@rookery/test-world/queries'
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Statuses whose time comes: once, as they stand then, with their files (beyond-the-spec 1.10, Scheduled and Media).

let world: World
let mara: Person
let joel: Person
let ines: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel, ines } = await world.cast('mara', 'joel', 'ines'))
  await joel.follows(mara)
  await world.idle()
})
afterAll(() => world.close())

const OVERDUE = 'publish-overdue-statuses'
/** Lets the hour pass that statuses are scheduled for here. */
const anHourPasses = () => world.advance(HOUR + 1000)
const timesSaid = async (text: string) => (await saidBy(mara)).filter((each) => each === text).length
const latestOf = async (person: Person) => (await person.get(`/api/v1/accounts/${person.id}/statuses?limit=1`)).body[0]

describe('when its time comes', () => {
  test('it is posted as if it were posted then, with the app it was scheduled with', async () => {
    const parent = await joel.says('tea?')
    const asked = { spoiler_text: 'drinks', visibility: 'unlisted', language: 'de', in_reply_to_id: parent.id }
    const kept = await schedules(world, mara, '@ines is it ready? #tea', asked)
    await world.advance(HOUR - MINUTE)
    expect(await waiting(mara)).toEqual([kept])
    const between = await joel.says('in between')
    await world.advance(MINUTE + 1000)
    expect(await waiting(mara)).toEqual([])
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).status).toBe(404)

    const said = await latestOf(mara)
    const plain = await mara.says('@ines is it ready? #tea', asked)
    const { id: _id, uri: _uri, url: _url, created_at: at, account: _account, ...rest } = said
    expect(plain).toMatchObject({ ...rest, tags: plain.tags })
    expect(BigInt(said.id)).toBeGreaterThan(BigInt(between.id))
    expect(Date.parse(at)).toBeGreaterThan(Date.parse(kept.scheduled_at))
    expect(said.application).toEqual(plain.application)
    expect(said.application.name).toEqual(expect.any(String))
    expect((await joel.home()).filter(({ id }) => id === said.id)).toHaveLength(1)
    expect((await ines.notifications()).filter(({ status }) => status?.id === said.id)).toMatchObject([{ type: 'mention' }])
    expect((await joel.get(`/api/v1/statuses/${parent.id}`)).body.replies_count).toBe(2)
  })

  test('its poll begins then', async () => {
    await schedules(world, mara, 'which?', { poll: { options: ['green', 'black'], expires_in: 600 } })
    await anHourPasses()
    const { created_at: at, poll } = await latestOf(mara)
    expect(Date.parse(poll.expires_at) - Date.parse(at)).toBeCloseTo(600_000, -3)
    expect(poll).toMatchObject({ expired: false, votes_count: 0, options: [{ title: 'green' }, { title: 'black' }] })
    await world.advance(10 * MINUTE + 1000)
    expect((await mara.get(`/api/v1/polls/${poll.id}`)).body.expired).toBe(true)
  })

  test("the author's defaults are those of then", async () => {
    await schedules(world, mara, 'by default')
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { privacy: 'private' } } })
    await anHourPasses()
    expect(await latestOf(mara)).toMatchObject({ content: '<p>by default</p>', visibility: 'private' })
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { privacy: 'public' } } })
  })

  test('what it answers may have been edited meanwhile', async () => {
    const parent = await joel.says('tea?')
    await schedules(world, mara, 'yes', { in_reply_to_id: parent.id })
    await joel.asks('PUT', `/api/v1/statuses/${parent.id}`, { body: { status: 'coffee?' } })
    await anHourPasses()
    expect(await latestOf(mara)).toMatchObject({ content: '<p>yes</p>', in_reply_to_id: parent.id })
  })

  test('it is moved no more, and one that was moved waits for its new time alone', async () => {
    const kept = await schedules(world, mara, 'moved')
    await changes(mara, kept, { scheduled_at: ahead(world, 2 * HOUR) })
    await anHourPasses()
    expect(await timesSaid('moved')).toBe(0)
    await anHourPasses()
    expect(await timesSaid('moved')).toBe(1)
    expect((await changes(mara, kept, { scheduled_at: ahead(world, HOUR) })).status).toBe(404)
  })
})

describe('one that cannot be posted any more is kept as a draft', () => {
  /** Lets its time pass. Returns it as it is listed since. */
  const missed = async (kept: { id: string; params: object }, changed: Record<string, unknown> = {}) => {
    await anHourPasses()
    const draft = { ...kept, params: { ...kept.params, ...changed } }
    expect(await waiting(mara)).toEqual([draft])
    expect(await waiting(mara, '?drafts=true')).toEqual([draft])
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).body).toEqual(draft)
    // Nothing tries again by itself.
    world.clock.advance(MINUTE)
    await runJob(world, OVERDUE)
    await world.advance(DAY)
    expect(await waiting(mara)).toEqual([draft])
    return draft
  }
  const isHeld = async (file: string) =>
    expectRefusal(
      await mara.post('/api/v1/statuses', { status: 'x', media_ids: [file] }),
      422,
      `Media ${file} not found or already attached to another post`,
    )

  test('a reply to what was deleted, which becomes a post of its own at another time', async () => {
    const [parent, file] = [await joel.says('tea?'), await uploads(mara)]
    const kept = await schedules(world, mara, 'to no one', { in_reply_to_id: parent.id, media_ids: [file] })
    await joel.asks('DELETE', `/api/v1/statuses/${parent.id}`)
    const draft = await missed(kept, { in_reply_to_id: null })
    expect(await timesSaid('to no one')).toBe(0)
    await isHeld(file)
    const at = ahead(world, HOUR)
    expect(await changes(mara, kept, { scheduled_at: at })).toMatchObject({ status: 200, body: { ...draft, scheduled_at: at } })
    expect(await waiting(mara, '?drafts=true')).toEqual([])
    await anHourPasses()
    expect(await waiting(mara)).toEqual([])
    expect(await latestOf(mara)).toMatchObject({
      content: '<p>to no one</p>',
      in_reply_to_id: null,
      media_attachments: [{ id: file }],
    })
  })

  test('a reply to what its author may not see any more, which can be published at once', async () => {
    const parent = await ines.says('tea?')
    const kept = await schedules(world, mara, 'to whom it concerns', { in_reply_to_id: parent.id })
    await ines.does('block', mara)
    await missed(kept, { in_reply_to_id: null })
    await ines.does('unblock', mara)
    const said = await mara.post(`${SCHEDULED}/${kept.id}/publish`)
    expect(said.body).toMatchObject({ content: '<p>to whom it concerns</p>', in_reply_to_id: null })
    expect(await waiting(mara)).toEqual([])
  })

  test('and its files are free once it is deleted', async () => {
    const [parent, file] = [await joel.says('tea?'), await uploads(mara)]
    const kept = await schedules(world, mara, 'never mind', { in_reply_to_id: parent.id, media_ids: [file] })
    await joel.asks('DELETE', `/api/v1/statuses/${parent.id}`)
    await missed(kept, { in_reply_to_id: null })
    expect((await cancels(mara, kept)).status).toBe(200)
    expect(await waiting(mara)).toEqual([])
    await world.idle()
    expect(await mara.says('its file is free', { media_ids: [file] })).toMatchObject({ media_attachments: [{ id: file }] })
  })

  test.each([
    ['suspended', (isSuspended: boolean) => world.operator().setSuspended(innerCall(), { username: 'mara', isSuspended })],
    ['disabled', (isDisabled: boolean) => world.operator().setDisabled(innerCall(), { username: 'mara', isDisabled })],
  ])('a post of a %s author, who finds it when they are back', async (_state, set) => {
    const file = await uploads(mara)
    const kept = await schedules(world, mara, 'from beyond', { media_ids: [file] })
    await set(true)
    await world.advance(0)
    await anHourPasses()
    await set(false)
    await world.advance(0)
    expect(await timesSaid('from beyond')).toBe(0)
    await missed(kept)
    await isHeld(file)
    // As a plain draft it is on the list of drafts alone.
    expect((await changes(mara, kept, { draft: true })).body).toEqual({ ...kept, scheduled_at: null })
    expect(await waiting(mara)).toEqual([])
    await cancels(mara, kept)
  })

  test('a post of who has moved, and another time is refused for the same reason', async () => {
    const [mover, target] = [await world.person('mover'), await world.person('target')]
    const kept = await schedules(world, mover, 'too late')
    await query(world, 'update statuses.account set moved_to_id = $2 where id = $1', [mover.id, target.id])
    await anHourPasses()
    expect(await waiting(mover)).toEqual([kept])
    expectRefusal(await changes(mover, kept, { scheduled_at: ahead(world, HOUR) }), 403, 'This action is not allowed')
    expect(await waiting(mover, '?drafts=true')).toEqual([kept])
    await query(world, 'update statuses.account set moved_to_id = null where id = $1', [mover.id])
    expect((await changes(mover, kept, { scheduled_at: ahead(world, HOUR) })).status).toBe(200)
  })

  test('and keeps it while its words change, until it gets another time', async () => {
    const parent = await joel.says('tea?')
    const kept = await schedules(world, mara, 'old words', { in_reply_to_id: parent.id })
    await joel.asks('DELETE', `/api/v1/statuses/${parent.id}`)
    const draft = await missed(kept, { in_reply_to_id: null })
    const changed = { ...draft, params: { ...draft.params, text: 'new words' } }
    expect((await changes(mara, kept, { status: 'new words' })).body).toEqual(changed)
    expect(await waiting(mara)).toEqual([changed])
    expectRefusal(
      await changes(mara, kept, { scheduled_at: ahead(world, MINUTE) }),
      422,
      'Validation failed: Scheduled at The scheduled date must be in the future',
    )
    await cancels(mara, kept)
  })
})

describe('a server error', () => {
  /** Posting fails with a text. */
  const breakPosting = (text: string) =>
    query(
      world,
      `create function statuses.break_posting() returns trigger language plpgsql as $$
         begin if new.text = '${text}' then raise exception 'broken'; end if; return new; end $$;
       create trigger broken before insert on statuses.status for each row execute function statuses.break_posting()`,
    )
  const mendPosting = () => query(world, 'drop trigger broken on statuses.status; drop function statuses.break_posting()')

  test('leaves it waiting, keeps no other from its time, and is made good', async () => {
    const kept = await schedules(world, mara, 'broken')
    await schedules(world, mara, 'whole')
    await breakPosting('broken')
    await anHourPasses()
    expect(await waiting(mara)).toEqual([kept])
    await runJob(world, OVERDUE)
    expect(await waiting(mara)).toEqual([kept])
    expect(await timesSaid('whole')).toBe(1)
    await mendPosting()
    world.clock.advance(MINUTE)
    await runJob(world, OVERDUE)
    expect([await timesSaid('broken'), await timesSaid('whole'), await waiting(mara)]).toEqual([1, 1, []])
  })

  test('in the middle of its job, as a killed process is, is made good within a minute', async () => {
    await schedules(world, mara, 'left alone')
    // What a killed process leaves: the job claimed, for hours.
    const claim = "update statuses_jobs._private_jobs set locked_at = now(), locked_by = 'killed' where key like 'scheduled:%'"
    await query(world, claim)
    await anHourPasses()
    expect(await timesSaid('left alone')).toBe(0)
    world.clock.advance(MINUTE)
    await runJob(world, OVERDUE)
    await runJob(world, OVERDUE)
    expect(await timesSaid('left alone')).toBe(1)
    await query(world, 'update statuses_jobs._private_jobs set locked_at = null, locked_by = null')
    await world.advance(0)
    expect(await timesSaid('left alone')).toBe(1)
  })
})

describe('two at once', () => {
  test('who publish it, by its time and by hand, post it once', async () => {
    for (let round = 0; round < 5; round++) {
      const kept = await schedules(world, mara, `raced ${round}`)
      const publishing = Array.from({ length: 4 }, () => mara.post(`${SCHEDULED}/${kept.id}/publish`))
      const [answers] = await Promise.all([Promise.all(publishing), anHourPasses()])
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
      expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
      expect(await timesSaid(`raced ${round}`)).toBe(1)
    }
  })

  test('of whom one cancels it end with a status or with none, as the answer says', async () => {
    for (let round = 0; round < 5; round++) {
      const kept = await schedules(world, mara, `perhaps ${round}`)
      world.clock.advance(HOUR + 1000)
      const [cancelled] = await Promise.all([cancels(mara, kept), world.advance(0)])
      await world.idle()
      expect([cancelled.status, await timesSaid(`perhaps ${round}`)]).toEqual(cancelled.status === 200 ? [200, 0] : [404, 1])
      expect(await waiting(mara)).toEqual([])
    }
  })

  test('of whom one changes it end with what the answer says', async () => {
    for (let round = 0; round < 5; round++) {
      const kept = await schedules(world, mara, `before ${round}`)
      world.clock.advance(HOUR + 1000)
      const [changed] = await Promise.all([changes(mara, kept, { status: `after ${round}` }), world.advance(0)])
      await world.advance(0)
      const expected = changed.status === 200 ? [200, 0, 1] : [404, 1, 0]
      expect([changed.status, await timesSaid(`before ${round}`), await timesSaid(`after ${round}`)]).toEqual(expected)
      expect(await waiting(mara)).toEqual([])
    }
  })

  test('a change that holds it while it is due comes first', async () => {
    const kept = await schedules(world, mara, 'old words')
    const change = await holding(world)
    await change.query("update statuses.scheduled_status set text = 'new words', version = version + 1 where id = $1", [kept.id])
    const passing = anHourPasses()
    await untilSomeoneWaits(world)
    await change.end()
    await passing
    expect([await timesSaid('old words'), await timesSaid('new words')]).toEqual([0, 1])
  })

  test('a cancellation that holds it while it is due comes first', async () => {
    const kept = await schedules(world, mara, 'withdrawn')
    const change = await holding(world)
    await change.query('delete from statuses.scheduled_status where id = $1', [kept.id])
    const passing = anHourPasses()
    await untilSomeoneWaits(world)
    await change.end()
    await passing
    expect(await timesSaid('withdrawn')).toBe(0)
  })
})

describe('the files of a scheduled status', () => {
  const taken = (file: string) => `Media ${file} not found or already attached to another post`
  const isThere = async (file: string) => (await mara.get(`/api/v1/media/${file}`)).status === 200

  test('are no one else’s, for however long it waits, and pass on to the status', async () => {
    const file = await uploads(mara)
    const kept = await schedules(world, mara, 'with a dot', { media_ids: [file], scheduled_at: ahead(world, 10 * DAY) })
    const other = await mara.says('another', { draft: true })
    const refuses = async () => {
      expectRefusal(await mara.post('/api/v1/statuses', { status: 'mine', media_ids: [file] }), 422, taken(file))
      expectRefusal(await mara.post('/api/v1/statuses', { status: 'mine', media_ids: [file], draft: true }), 422, taken(file))
      expectRefusal(await changes(mara, other, { media_ids: [file] }), 422, taken(file))
      expectRefusal(await joel.post('/api/v1/statuses', { status: 'mine', media_ids: [file] }), 422, taken(file))
    }
    await refuses()
    await world.idle()
    await world.advance(9 * DAY)
    await query(world, "select media_jobs.add_job('reap-attachments')")
    await world.advance(0)
    await refuses()
    await mara.asks('PUT', `/api/v1/media/${file}`, { body: { description: 'a dot' } })
    await world.idle()
    expect((await mara.get(`${SCHEDULED}/${kept.id}`)).body.media_attachments).toMatchObject([{ id: file, description: 'a dot' }])

    await world.advance(DAY + 1000)
    const said = await latestOf(mara)
    expect(said).toMatchObject({ content: '<p>with a dot</p>', media_attachments: [{ id: file, description: 'a dot' }] })
    await refuses()
    const edit = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'still with a dot', media_ids: [file] } })
    expect(edit).toMatchObject({ status: 200, body: { media_attachments: [{ id: file }] } })
    await mara.asks('PUT', `/api/v1/media/${file}`, { body: { description: 'the dot' } })
    await world.idle()
    expect((await mara.get(`/api/v1/statuses/${said.id}`)).body.media_attachments).toMatchObject([{ description: 'the dot' }])
    await mara.asks('DELETE', `/api/v1/statuses/${said.id}?delete_media=true`)
    await world.idle()
    expect(await isThere(file)).toBe(false)
    await cancels(mara, other)
  })

  test('are free when it is cancelled, and go after a day', async () => {
    const [file, forgotten] = [await uploads(mara), await uploads(mara)]
    const kept = await schedules(world, mara, 'never', { media_ids: [file, forgotten] })
    await world.idle()
    await cancels(mara, kept)
    await world.idle()
    expect(await mara.says('now', { media_ids: [file] })).toMatchObject({ media_attachments: [{ id: file }] })
    await world.idle()
    await world.advance(DAY + 1000)
    await query(world, "select media_jobs.add_job('reap-attachments')")
    await world.advance(0)
    expect([await isThere(file), await isThere(forgotten)]).toEqual([true, false])
  })

  test('that are replaced are free, and those that replace them are not', async () => {
    const [old, both, fresh] = [await uploads(mara), await uploads(mara), await uploads(mara)]
    const kept = await schedules(world, mara, 'one or the other', { media_ids: [old, both] })
    const changed = await changes(mara, kept, { media_ids: [fresh, both] })
    expect(changed.body).toMatchObject({ params: { media_ids: [fresh, both] }, media_attachments: [{ id: fresh }, { id: both }] })
    await world.idle()
    for (const file of [fresh, both]) {
      expectRefusal(await mara.post('/api/v1/statuses', { status: 'mine', media_ids: [file] }), 422, taken(file))
    }
    expect(await mara.says('the old one', { media_ids: [old] })).toMatchObject({ media_attachments: [{ id: old }] })
    expect((await changes(mara, kept, new URLSearchParams('media_ids[]='))).body.media_attachments).toEqual([])
    await world.idle()
    expect((await changes(mara, kept, { media_ids: [both] })).body.params.media_ids).toEqual([both])
    expect(await mara.says('the fresh one', { media_ids: [fresh] })).toMatchObject({ media_attachments: [{ id: fresh }] })
    await anHourPasses()
    expect(await latestOf(mara)).toMatchObject({ content: '<p>one or the other</p>', media_attachments: [{ id: both }] })
  })

  test('stay with what is edited before media heard of it, without being more than may be', async () => {
    const files = [await uploads(mara), await uploads(mara), await uploads(mara), await uploads(mara), await uploads(mara)]
    const [first, added] = [files[0]!, files[4]!]
    const kept = await schedules(world, mara, 'with four dots', { media_ids: files.slice(0, 4) })
    await world.idle()
    const media = await holding(world)
    await media.query('lock table media.processed_event in exclusive mode')
    const said = (await mara.post(`${SCHEDULED}/${kept.id}/publish`)).body
    const edit = (body: object) => mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'fewer', ...body } })
    const tooMany = await edit({ media_ids: files })
    const described = { media_ids: [added, first, first], media_attributes: [{ id: first, description: 'a dot' }] }
    const edited = await edit(described)
    await media.end()
    await world.idle()
    expectRefusal(tooMany, 422, 'Cannot attach more than 4 files')
    const shown = [{ id: added }, { id: first, description: 'a dot' }]
    expect(edited).toMatchObject({ status: 200, body: { media_attachments: shown } })
    expect((await mara.get(`/api/v1/statuses/${said.id}`)).body.media_attachments).toMatchObject(shown)
    const again = await edit({ media_ids: [first] })
    expect(again).toMatchObject({ status: 200, body: { media_attachments: [{ id: first, description: 'a dot' }] } })
  })

  test('that come and go in one moment stay with it, however late media hears of it', async () => {
    const file = await uploads(mara)
    const kept = await schedules(world, mara, 'on and off', { media_ids: [file] })
    await changes(mara, kept, { media_ids: [] })
    await changes(mara, kept, { media_ids: [file] })
    await world.idle()
    expectRefusal(await mara.post('/api/v1/statuses', { status: 'mine', media_ids: [file] }), 422, taken(file))
    const said = (await mara.post(`${SCHEDULED}/${kept.id}/publish`)).body
    await world.idle()
    await world.advance(8 * DAY)
    await query(world, "select media_jobs.add_job('reap-attachments')")
    await world.advance(0)
    expect((await mara.get(`/api/v1/statuses/${said.id}`)).body.media_attachments).toMatchObject([{ id: file }])
    expect(await isThere(file)).toBe(true)
  })
})
