import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import pg from 'pg'
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

const HOUR = 3600
const asks = (options: string[], more: Record<string, unknown> = {}) => mara.says('tea?', { poll: { options, expires_in: HOUR, ...more } })
const votes = (person: Person, id: string, choices: unknown[]) => person.post(`/api/v1/polls/${id}/votes`, { choices })

/** Does something while the row of a status is locked, and lets go of it once several sessions wait. */
const whileHeld = async <Result>(statusId: string, act: () => Promise<Result>): Promise<Result> => {
  const holder = new pg.Client({ connectionString: world.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from statuses.status_head where id = $1 for update', [statusId])
    const acted = act()
    const waiting = 'select count(*)::int "count" from pg_stat_activity where datname = current_database() and wait_event_type = $1'
    await expect.poll(async () => (await holder.query(waiting, ['Lock'])).rows[0].count).toBeGreaterThan(3)
    await holder.query('commit')
    return await acted
  } finally {
    await holder.end()
  }
}

test('a poll comes with its status, as each viewer may see it', async () => {
  const said = await asks(['green', 'black'])
  const expected = {
    id: said.id,
    expired: false,
    multiple: false,
    votes_count: 0,
    voters_count: 0,
    options: [
      { title: 'green', votes_count: 0 },
      { title: 'black', votes_count: 0 },
    ],
    emojis: [],
  }
  expect(said.poll).toEqual({ ...expected, expires_at: said.poll.expires_at, voted: true, own_votes: [] })
  expect(Date.parse(said.poll.expires_at) - Date.parse(said.created_at)).toBeCloseTo(HOUR * 1000, -3)
  expect((await joel.get(`/api/v1/polls/${said.id}`)).body).toMatchObject({ ...expected, voted: false, own_votes: [] })
  const anonymous = (await world.get(`/api/v1/polls/${said.id}`)).body
  expect(anonymous).toMatchObject(expected)
  expect('voted' in anonymous || 'own_votes' in anonymous).toBe(false)
  expect((await world.get('/api/v1/timelines/public')).body[0].poll).toMatchObject(expected)
})

test('a vote counts once, and shows to the voter alone as theirs', async () => {
  const said = await asks(['green', 'black', 'none'], { multiple: true })
  expect(await votes(joel, said.id, ['0', 2])).toMatchObject({
    status: 200,
    body: {
      votes_count: 2,
      voters_count: 1,
      voted: true,
      own_votes: [0, 2],
      options: [{ votes_count: 1 }, { votes_count: 0 }, { votes_count: 1 }],
    },
  })
  await votes(ines, said.id, [2])
  const seen = (await joel.get(`/api/v1/statuses/${said.id}`)).body.poll
  expect(seen).toMatchObject({ votes_count: 3, voters_count: 2, own_votes: [0, 2] })
  expect((await mara.get(`/api/v1/polls/${said.id}`)).body).toMatchObject({ voted: true, own_votes: [] })
  expect(await votes(joel, said.id, [1])).toMatchObject({
    status: 422,
    body: { error: 'Validation failed: You have already voted on this poll' },
  })
  const boost = await ines.reacts('reblog', said)
  expect(boost).toMatchObject({ poll: null, reblog: { poll: { own_votes: [2] } } })
})

test.each([
  [[], 'The chosen vote option does not exist'],
  [[2], 'The chosen vote option does not exist'],
  [[-1], 'The chosen vote option does not exist'],
  [['x'], 'The chosen vote option does not exist'],
  [[99999999999], 'The chosen vote option does not exist'],
])('choices %j are refused', async (choices, text) => {
  const said = await asks(['green', 'black'])
  expect(await votes(joel, said.id, choices)).toMatchObject({ status: 422, body: { error: `Validation failed: ${text}` } })
  expect((await world.get(`/api/v1/polls/${said.id}`)).body.votes_count).toBe(0)
})

test('several choices are for polls that allow them, and no one votes in their own', async () => {
  const said = await asks(['green', 'black'])
  expect(await votes(joel, said.id, [0, 1])).toMatchObject({
    status: 422,
    body: { error: 'Validation failed: You have already voted on this poll' },
  })
  expect(await votes(mara, said.id, [0])).toMatchObject({
    status: 422,
    body: { error: 'Validation failed: You cannot vote in your own polls' },
  })
})

test('twenty votes of one person at once count once, and the others are notified that they have voted', async () => {
  const said = await asks(['green', 'black'])
  // While another transaction holds the status, all votes that fit into the pool wait for it: none is over before another begins.
  const answers = await whileHeld(said.id, () => Promise.all(Array.from({ length: 20 }, () => votes(joel, said.id, [1]))))
  const refusals = answers.filter(({ status }) => status !== 200)
  expect(refusals).toHaveLength(19)
  for (const { status, body } of refusals) {
    expect({ status, body }).toEqual({ status: 422, body: { error: 'Validation failed: You have already voted on this poll' } })
  }
  expect((await world.get(`/api/v1/polls/${said.id}`)).body).toMatchObject({ votes_count: 1, voters_count: 1 })
})

test.each([
  [{ options: ['one'], expires_in: HOUR }, 'Choices must have more than one item'],
  [{ options: ['one', ' '], expires_in: HOUR }, 'Choices must have more than one item'],
  [{ options: ['1', '2', '3', '4', '5'], expires_in: HOUR }, "Choices can't contain more than 4 items"],
  [{ options: ['1', 'x'.repeat(51)], expires_in: HOUR }, 'Choices cannot be longer than 50 characters each'],
  [{ options: ['same', 'same'], expires_in: HOUR }, 'Choices contain duplicate items'],
  [{ options: ['1', '2'], expires_in: 299 }, 'Deadline is too soon'],
  [{ options: ['1', '2'], expires_in: 2_629_747 }, 'Deadline is too far into the future'],
  [{ options: ['1', '2'] }, "Deadline can't be blank"],
])('a poll like %j is refused', async (poll, text) => {
  const answer = await mara.post('/api/v1/statuses', { status: 'tea?', poll })
  expect(answer).toMatchObject({ status: 422, body: { error: `Validation failed: ${text}` } })
})

test('a poll at its limits is taken, by characters as people count them', async () => {
  const family = '👨‍👩‍👧‍👦'
  const options = ['1', '2', 'x'.repeat(50), family.repeat(50)]
  for (const expires_in of [300, 2_629_746]) {
    const said = await mara.says('tea?', { poll: { options, expires_in, multiple: true } })
    expect(said.poll).toMatchObject({ multiple: true, options: options.map((title) => ({ title, votes_count: 0 })) })
    const lasts = Date.parse(said.poll.expires_at) - Date.parse(said.created_at)
    expect(Math.round(lasts / 10_000)).toBe(Math.round(expires_in / 10))
    expect((await votes(joel, said.id, [0, 1, 2, 3])).body).toMatchObject({ votes_count: 4, voters_count: 1, own_votes: [0, 1, 2, 3] })
  }
  const longer = { options: ['1', `${family.repeat(50)}x`], expires_in: 300 }
  expect((await mara.post('/api/v1/statuses', { status: 'tea?', poll: longer })).status).toBe(422)
})

test.each([false, true])('a choice that is repeated counts once; several choices allowed: %s', async (multiple) => {
  const said = await mara.says('tea?', { poll: { options: ['green', 'black'], expires_in: HOUR, multiple } })
  expect((await votes(joel, said.id, [1, 1, '1'])).body).toMatchObject({ votes_count: 1, voters_count: 1, own_votes: [1] })
})

test('an edit is refused in the same words, and changes nothing', async () => {
  const said = await mara.says('tea?', { poll: { options: ['green', 'black'], expires_in: HOUR } })
  const edit = (poll: object, more: object = {}) =>
    mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'milk?', poll, ...more } })
  const refused: [object, object, string][] = [
    [{ options: ['one'], expires_in: HOUR }, {}, 'Validation failed: Choices must have more than one item'],
    [{ options: ['same', 'same'], expires_in: 1 }, {}, 'Validation failed: Choices contain duplicate items, Deadline is too soon'],
    [{ options: ['1', '2'], expires_in: HOUR }, { media_ids: ['1'] }, 'Cannot attach more than 4 files'],
  ]
  for (const [poll, more, error] of refused) {
    const { status, body } = await edit(poll, more)
    expect({ status, body }).toEqual({ status: 422, body: { error } })
  }
  expect((await world.get(`/api/v1/statuses/${said.id}`)).body).toMatchObject({ edited_at: null, poll: { options: [{}, {}] } })
})

test('forms spell a poll with brackets', async () => {
  const body = new URLSearchParams('status=tea&poll[options][]=green&poll[options][]=black&poll[expires_in]=300&poll[multiple]=true')
  const answer = await mara.post('/api/v1/statuses', body)
  expect(answer.body.poll).toMatchObject({ multiple: true, options: [{ title: 'green' }, { title: 'black' }] })
})

test('a poll needs a text, and leaves no room for files', async () => {
  expect(await mara.post('/api/v1/statuses', { poll: { options: ['1', '2'], expires_in: HOUR } })).toMatchObject({
    status: 422,
    body: { error: "Validation failed: Text can't be blank" },
  })
  expect(
    await mara.post('/api/v1/statuses', { status: 'x', media_ids: ['1'], poll: { options: ['1', '2'], expires_in: HOUR } }),
  ).toMatchObject({
    status: 422,
    body: { error: 'Cannot attach more than 4 files' },
  })
})

test('only those who see the status see and vote in its poll', async () => {
  const said = await asks(['green', 'black'])
  const hidden = await mara.says('psst', { visibility: 'direct', poll: { options: ['1', '2'], expires_in: HOUR } })
  const missing = await joel.get('/api/v1/polls/1')
  expect(await joel.get(`/api/v1/polls/${hidden.id}`)).toMatchObject({ status: 404, text: missing.text })
  expect(await votes(joel, hidden.id, [0])).toMatchObject({ status: 404, text: missing.text })
  const plain = await mara.says('no poll')
  expect(await joel.get(`/api/v1/polls/${plain.id}`)).toMatchObject({ status: 404, text: missing.text })
  expect(await votes(joel, plain.id, [0])).toMatchObject({ status: 404, text: missing.text })
  expect((await world.get(`/api/v1/polls/${said.id}`)).status).toBe(200)
})

test('a vote in a poll of an author whom the voter blocks is refused as a favourite is, and counts after the block', async () => {
  const said = await asks(['green', 'black'])
  await ines.post(`/api/v1/accounts/${mara.id}/block`)
  expect(await votes(ines, said.id, [0])).toMatchObject({ status: 403, body: { error: 'This action is not allowed' } })
  await ines.post(`/api/v1/accounts/${mara.id}/unblock`)
  expect(await votes(ines, said.id, [1])).toMatchObject({ status: 200, body: { votes_count: 1, own_votes: [1] } })
})

test('an edit of the question begins the poll again, other edits keep its votes, and leaving it out ends it', async () => {
  const said = await asks(['green', 'black'])
  await votes(joel, said.id, [0])
  const edit = (body: Record<string, unknown>) => mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body })
  expect((await edit({ status: 'tea!', poll: { options: ['green', 'black'], expires_in: HOUR } })).body.poll).toMatchObject({
    votes_count: 1,
  })
  expect((await edit({ status: 'tea!', poll: { options: ['green', 'white'], expires_in: HOUR } })).body.poll).toMatchObject({
    votes_count: 0,
    options: [{ title: 'green' }, { title: 'white' }],
  })
  expect((await votes(joel, said.id, [1])).status).toBe(200)
  expect((await edit({ status: 'tea!' })).body.poll).toBeNull()
  const history = (await world.get(`/api/v1/statuses/${said.id}/history`)).body
  expect(history.map(({ poll }: { poll?: { options: { title: string }[] } }) => poll?.options.map(({ title }) => title))).toEqual([
    ['green', 'black'],
    ['green', 'black'],
    ['green', 'white'],
    undefined,
  ])
})

test('an edit of the end alone moves the end, and keeps the votes', async () => {
  const said = await asks(['green', 'black'])
  await votes(joel, said.id, [1])
  const edited = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, {
    body: { status: 'tea?', poll: { options: ['green', 'black'], expires_in: 2 * HOUR } },
  })
  expect(edited.body).toMatchObject({ edited_at: expect.any(String), poll: { votes_count: 1 } })
  expect(Date.parse(edited.body.poll.expires_at) - Date.parse(said.poll.expires_at)).toBeCloseTo(HOUR * 1000, -4)
})

// The world's clock moves on here: what comes after lives in a later hour.
test('hidden totals show, votes are refused and people are notified once when a poll ends', async () => {
  const said = await asks(['green', 'black'], { hide_totals: true })
  await votes(joel, said.id, [0])
  expect((await joel.get(`/api/v1/polls/${said.id}`)).body).toMatchObject({
    options: [{ votes_count: null }, { votes_count: null }],
    votes_count: 1,
  })
  await world.idle()
  for (const person of [mara, joel, ines]) await person.post('/api/v1/notifications/clear')
  await world.advance((HOUR + 1) * 1000)
  await world.advance(1000)
  expect((await joel.get(`/api/v1/polls/${said.id}`)).body).toMatchObject({
    expired: true,
    options: [{ votes_count: 1 }, { votes_count: 0 }],
  })
  expect(await votes(ines, said.id, [0])).toMatchObject({ status: 422, body: { error: 'Validation failed: The poll has already ended' } })
  const about = async (person: Person) => (await person.notifications()).filter(({ status }) => status?.id === said.id)
  for (const person of [mara, joel]) expect(await about(person)).toMatchObject([{ type: 'poll', account: { id: mara.id } }])
  expect(await about(ines)).toEqual([])
})

test('the end of a poll notifies no voter whom a block or a mute of notifications has come between since', async () => {
  const names = ['asker', 'voter', 'muter', 'timeline_muter', 'brief_muter', 'blocker', 'blocked'] as const
  const { asker, ...voters } = await world.cast(...names)
  const said = await asker.says('coffee?', { poll: { options: ['yes', 'no'], expires_in: HOUR } })
  for (const voter of Object.values(voters)) expect((await votes(voter, said.poll.id, [0])).status).toBe(200)
  await voters.muter.does('mute', asker)
  await voters.timeline_muter.post(`/api/v1/accounts/${asker.id}/mute`, { notifications: false })
  await voters.brief_muter.post(`/api/v1/accounts/${asker.id}/mute`, { duration: HOUR / 2 })
  await voters.blocker.does('block', asker)
  await asker.does('block', voters.blocked)
  await world.idle()
  const streams = await Promise.all(Object.values(voters).map((voter) => voter.listens('user:notification')))
  await world.advance((HOUR + 1) * 1000)
  await world.advance(1000)
  const notified = []
  for (const voter of [asker, ...Object.values(voters)]) {
    if ((await voter.notifications()).some(({ type }) => type === 'poll')) notified.push(voter.username)
  }
  expect(notified).toEqual(['asker', 'voter', 'timeline_muter', 'brief_muter'])
  const [voter, muter, , , blocker, blocked] = streams
  expect([...muter!.frames, ...blocker!.frames, ...blocked!.frames]).toEqual([])
  expect(voter!.frames).toHaveLength(1)
  for (const stream of streams) await stream.close()
})

const MINUTE = 60_000
const isOver = async (id: string) => (await mara.notifications('?types[]=poll')).some(({ status }) => status.id === id)

test.each([
  ['later', HOUR / 2, HOUR],
  ['sooner', HOUR, HOUR / 2],
])('a poll whose end was edited to be %s before its post was heard of ends then', async (_case, first, then) => {
  const holder = new pg.Client({ connectionString: world.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table statuses.processed_event in access exclusive mode')
  const poll = { options: ['green', 'black'], expires_in: first }
  const { id } = await mara.says('tea?', { poll })
  await mara.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: 'tea?', poll: { ...poll, expires_in: then } } })
  await holder.query('commit')
  await holder.end()
  await world.idle()
  await world.advance(then * 1000 - MINUTE)
  expect(await isOver(id)).toBe(false)
  await world.advance(2 * MINUTE)
  expect(await isOver(id)).toBe(true)
})

test('a poll ends by the clock of the server, when that is behind the one of Postgres', async () => {
  const { id } = await asks(['green', 'black'])
  await world.idle()
  await world.query(`update statuses_jobs._private_jobs set run_at = now() where key = $1`, [`poll:${id}`])
  await world.rookery.runJobs()
  expect(await isOver(id)).toBe(false)
  await world.advance((HOUR + 1) * 1000)
  expect(await isOver(id)).toBe(true)
})

test('the end of a poll is announced once, also when the post changes afterwards', async () => {
  const { id } = await asks(['green', 'black'])
  await votes(joel, id, [0])
  await world.advance((HOUR + 1) * 1000)
  await joel.post('/api/v1/notifications/clear')
  await world.operator().actOnStatuses(innerCall(), { statusIds: [id], action: 'mark_statuses_as_sensitive', text: '', sendsMail: false })
  await world.advance(1000)
  expect((await joel.get(`/api/v1/statuses/${id}`)).body).toMatchObject({ sensitive: true, poll: { expired: true } })
  expect(await joel.notifications('?types[]=poll')).toEqual([])
})

test('deleting a status with a poll gives the poll back for posting again', async () => {
  const said = await asks(['green', 'black'])
  const deleted = await mara.asks('DELETE', `/api/v1/statuses/${said.id}`)
  expect(deleted.body).toMatchObject({ text: 'tea?', poll: { options: [{ title: 'green' }, { title: 'black' }] } })
})
