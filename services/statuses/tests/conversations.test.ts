import { Envelope, StatusPublished } from '@rookery/contracts/events'
import { uuidv7 } from '@rookery/ids'
import { type Listener, type Person, World } from '@rookery/test-world'
import { holding, linksOf, query, untilSomeoneWaits, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let cast = 0
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

/** People no one has spoken to yet. */
const strangers = async (): Promise<[Person, Person, Person]> => {
  cast++
  const people = await Promise.all(['mara', 'joel', 'ines'].map((name) => world.person(`${name}${cast}`)))
  return people as [Person, Person, Person]
}

/** Says something to people alone. */
const writesTo = async (author: Person, people: Person[], more: Record<string, unknown> = {}): Promise<Json> => {
  const names = people.map(({ username }) => `@${username}`).join(' ')
  const said = await author.says(`psst ${names}`, { visibility: 'direct', ...more })
  await world.idle()
  return said
}

const deletes = async (author: Person, { id }: { id: string }) => {
  expect((await author.asks('DELETE', `/api/v1/statuses/${id}`)).status).toBe(200)
  await world.idle()
}

const conversations = async (person: Person): Promise<Json[]> => (await person.get('/api/v1/conversations')).body
const only = async (person: Person): Promise<Json> => {
  const list = await conversations(person)
  expect(list).toHaveLength(1)
  return list[0]
}
/** How many statements of the services wait for a lock. */
const waiting = async (within: World): Promise<number> => {
  const statements = "from pg_stat_activity where datname = current_database() and usename = 'statuses' and wait_event_type = 'Lock'"
  return (await query(within, `select 1 ${statements}`)).length
}
/** What a list is about: the last statuses, whether unread, the others. */
const gist = (list: Json[]) => list.map(({ unread, accounts, last_status }) => [last_status.id, unread, accounts.map(({ id }: Json) => id)])
const act = (person: Person, { id }: { id: string }, name: 'read' | 'unread') => person.post(`/api/v1/conversations/${id}/${name}`)
const hides = (person: Person, { id }: { id: string }) => person.asks('DELETE', `/api/v1/conversations/${id}`)
const sorted = (people: Person[]) => people.map(({ id }) => id).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))

describe('the list', () => {
  test('shows a direct status to its author as read and to the mentioned as unread, with the others', async () => {
    const [mara, joel, ines] = await strangers()
    const said = await writesTo(mara, [joel, ines])
    expect(gist(await conversations(mara))).toEqual([[said.id, false, sorted([joel, ines])]])
    expect(gist(await conversations(joel))).toEqual([[said.id, true, sorted([mara, ines])]])
    const own = await only(joel)
    expect(own).toEqual({
      id: expect.stringMatching(/^\d+$/),
      unread: true,
      accounts: expect.any(Array),
      last_status: (await joel.get(`/api/v1/statuses/${said.id}`)).body,
    })
    expect(own.accounts.find(({ id }: Json) => id === mara.id)).toEqual((await joel.get(`/api/v1/accounts/${mara.id}`)).body)
    expect(own.id).not.toBe((await only(mara)).id)
  })

  test('holds nothing of statuses that are not direct', async () => {
    const [mara, joel] = await strangers()
    for (const visibility of ['public', 'unlisted', 'private']) await mara.says(`hello @${joel.username}`, { visibility })
    await world.idle()
    expect([await conversations(mara), await conversations(joel)]).toEqual([[], []])
  })

  test('shows who talks to no one else themselves', async () => {
    const [mara] = await strangers()
    const note = await writesTo(mara, [])
    const more = await writesTo(mara, [mara], { in_reply_to_id: note.id })
    expect(gist(await conversations(mara))).toEqual([[more.id, false, [mara.id]]])
  })

  test('goes on in the thread, unread when the other said the last word', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(mara, [joel])
    const { id } = await only(mara)
    const answer = await writesTo(joel, [mara], { in_reply_to_id: first.id })
    expect(gist(await conversations(mara))).toEqual([[answer.id, true, [joel.id]]])
    expect(gist(await conversations(joel))).toEqual([[answer.id, false, [mara.id]]])
    const last = await writesTo(mara, [joel], { in_reply_to_id: answer.id })
    expect(await only(mara)).toMatchObject({ id, unread: false, last_status: { id: last.id } })
  })

  test('keeps threads apart, and within a thread those who take part', async () => {
    const [mara, joel, ines] = await strangers()
    const first = await writesTo(mara, [joel])
    const other = await writesTo(mara, [joel])
    const wider = await writesTo(joel, [mara, ines], { in_reply_to_id: first.id })
    const back = await writesTo(mara, [joel], { in_reply_to_id: wider.id })
    expect(gist(await conversations(mara))).toEqual([
      [back.id, false, [joel.id]],
      [wider.id, true, sorted([joel, ines])],
      [other.id, false, [joel.id]],
    ])
    expect(gist(await conversations(ines))).toEqual([[wider.id, true, sorted([mara, joel])]])
  })

  test('finds the thread through statuses that are not direct, also when one of them is gone', async () => {
    const [mara, joel] = await strangers()
    const root = await mara.says('for all')
    const middle = await joel.says('indeed', { in_reply_to_id: root.id })
    const one = await writesTo(mara, [joel], { in_reply_to_id: middle.id })
    await deletes(mara, root)
    const two = await writesTo(joel, [mara], { in_reply_to_id: middle.id })
    expect(gist(await conversations(mara))).toEqual([[two.id, true, [joel.id]]])
    const three = await writesTo(joel, [mara], { in_reply_to_id: one.id })
    expect(gist(await conversations(mara))).toEqual([[three.id, true, [joel.id]]])
  })

  test('finds the thread of a direct status when one between is gone', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(mara, [joel])
    const second = await writesTo(joel, [mara], { in_reply_to_id: first.id })
    const third = await writesTo(mara, [joel], { in_reply_to_id: second.id })
    await deletes(joel, second)
    const fourth = await writesTo(joel, [mara], { in_reply_to_id: third.id })
    expect(gist(await conversations(mara))).toEqual([[fourth.id, true, [joel.id]]])
  })

  test('is paged by last status, both ways', async () => {
    const [mara, joel] = await strangers()
    const said: Json[] = []
    for (let count = 0; count < 7; count++) said.unshift(await writesTo(joel, [mara]))
    const latest = said.map(({ id }) => id)
    const lasts = (pages: Json[][]) => pages.map((page) => page.map(({ last_status }) => last_status.id))
    const down = await walk(mara, '/api/v1/conversations?limit=3')
    expect(lasts(down)).toEqual([latest.slice(0, 3), latest.slice(3, 6), latest.slice(6)])
    const up = await walk(mara, `/api/v1/conversations?limit=3&min_id=${latest[6]}`, 'prev')
    expect(lasts(up)).toEqual([latest.slice(3, 6), latest.slice(0, 3)])
    const first = await mara.get('/api/v1/conversations?limit=3')
    expect(linksOf(first)).toEqual({
      next: `${world.origin}/api/v1/conversations?limit=3&max_id=${latest[2]}`,
      prev: `${world.origin}/api/v1/conversations?limit=3&min_id=${latest[0]}`,
    })
    const since = (await mara.get(`/api/v1/conversations?since_id=${latest[4]}&limit=2`)).body
    expect(lasts([since])).toEqual([latest.slice(0, 2)])
    expect((await mara.get('/api/v1/conversations?limit=0')).body).toEqual([])
    expect((await mara.get(`/api/v1/conversations?max_id=${latest[6]}`)).headers.get('link')).toBeNull()
  })

  test('costs two hops and the same few statements regardless of its length', async () => {
    const [mara, joel, ines] = await strangers()
    await writesTo(joel, [mara])
    await conversations(mara)
    await conversations(mara)
    const one = world.lastRequest
    for (let count = 0; count < 11; count++) await writesTo(count % 2 ? joel : ines, [mara, joel])
    await conversations(mara)
    expect(world.lastRequest.statements).toBeLessThanOrEqual(12)
    expect(await conversations(mara)).toHaveLength(12)
    expect(world.lastRequest).toEqual(one)
    expect(one).toEqual({ hops: 2, statements: 2 })
  })
})

describe('reading and hiding', () => {
  test('read and unread set the mark and answer with the conversation', async () => {
    const [mara, joel] = await strangers()
    await writesTo(mara, [joel])
    const conversation = await only(joel)
    const read = await act(joel, conversation, 'read')
    expect([read.status, read.body]).toEqual([200, { ...conversation, unread: false }])
    expect((await act(joel, conversation, 'read')).body).toEqual(read.body)
    expect(await only(joel)).toEqual(read.body)
    expect((await act(joel, conversation, 'unread')).body).toEqual(conversation)
    expect(await only(joel)).toEqual(conversation)
  })

  test('a hidden one is gone until something new is said', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(mara, [joel])
    const conversation = await only(joel)
    const answer = await hides(joel, conversation)
    expect([answer.status, answer.text]).toEqual([200, '{}'])
    expect(await conversations(joel)).toEqual([])
    expect(gist(await conversations(mara))).toEqual([[first.id, false, [joel.id]]])
    const next = await writesTo(mara, [joel], { in_reply_to_id: first.id })
    expect(gist(await conversations(joel))).toEqual([[next.id, true, [mara.id]]])
    // What was hidden does not come back with it.
    await deletes(mara, next)
    expect(await conversations(joel)).toEqual([])
  })

  test.each(['another’s', 'a hidden', 'a missing'])('%s conversation is not there', async (which) => {
    const [mara, joel] = await strangers()
    await writesTo(mara, [joel])
    const own = await only(mara)
    if (which === 'a hidden') await hides(mara, own)
    const id = which === 'a missing' ? '999999' : own.id
    const asker = which === 'another’s' ? joel : mara
    const answers = await Promise.all([act(asker, { id }, 'read'), act(asker, { id }, 'unread'), hides(asker, { id })])
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([404, '{"error":"Record not found"}']))
    expect((await conversations(mara)).map(({ unread }) => unread)).toEqual(which === 'a hidden' ? [] : [false])
  })

  test('what can be no id is missing too', async () => {
    const [mara] = await strangers()
    expect((await hides(mara, { id: 'me' })).status).toBe(404)
  })
})

describe('deleting', () => {
  test('the last status leads back to the one before', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(joel, [mara])
    const second = await writesTo(mara, [joel], { in_reply_to_id: first.id })
    const third = await writesTo(joel, [mara], { in_reply_to_id: second.id })
    await deletes(joel, third)
    expect(gist(await conversations(mara))).toEqual([[second.id, false, [joel.id]]])
    await deletes(mara, second)
    expect(gist(await conversations(mara))).toEqual([[first.id, false, [joel.id]]])
    expect(gist(await conversations(joel))).toEqual([[first.id, false, [mara.id]]])
  })

  test('two at once leads back past both, and an unread word of another stays unread', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(joel, [mara])
    const more = [await writesTo(joel, [mara], { in_reply_to_id: first.id }), await writesTo(joel, [mara], { in_reply_to_id: first.id })]
    await Promise.all(more.map(({ id }) => joel.asks('DELETE', `/api/v1/statuses/${id}`)))
    await world.idle()
    expect(gist(await conversations(mara))).toEqual([[first.id, true, [joel.id]]])
  })

  test('an earlier status changes nothing', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(joel, [mara])
    const second = await writesTo(joel, [mara], { in_reply_to_id: first.id })
    await deletes(joel, first)
    expect(gist(await conversations(mara))).toEqual([[second.id, true, [joel.id]]])
  })

  test('the only status takes the conversation along, for all who had it', async () => {
    const [mara, joel] = await strangers()
    const before = await writesTo(joel, [mara])
    const lost = await writesTo(joel, [mara])
    const after = await writesTo(joel, [mara])
    const [, gone] = await conversations(mara)
    await deletes(joel, lost)
    expect(gist(await conversations(mara))).toEqual([
      [after.id, true, [joel.id]],
      [before.id, true, [joel.id]],
    ])
    expect(await conversations(joel)).toHaveLength(2)
    expect((await walk(mara, '/api/v1/conversations?limit=1')).flat()).toHaveLength(2)
    expect((await act(mara, gone, 'read')).status).toBe(404)
    expect(await query(world, 'select id from statuses.conversation where last_status_id = $1', [lost.id])).toEqual([])
    const again = await writesTo(joel, [mara])
    expect(gist(await conversations(mara))[0]).toEqual([again.id, true, [joel.id]])
  })

  test('one after the other leaves nothing, and a word said later begins again', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(mara, [joel])
    const second = await writesTo(joel, [mara], { in_reply_to_id: first.id })
    await deletes(joel, second)
    await deletes(mara, first)
    expect([await conversations(mara), await conversations(joel)]).toEqual([[], []])
  })

  test('is seen at once, before the conversation has heard of it', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(mara, [joel])
    const second = await writesTo(joel, [mara], { in_reply_to_id: first.id })
    const alone = await writesTo(joel, [mara])
    // No one hears of it while the rows are held.
    const held = await holding(world)
    await held.query('select id from statuses.conversation where last_status_id = any($1) for update', [[second.id, alone.id]])
    for (const { id } of [second, alone]) await joel.asks('DELETE', `/api/v1/statuses/${id}`)
    expect(gist(await conversations(mara))).toEqual([[first.id, false, [joel.id]]])
    expect(gist(await conversations(joel))).toEqual([[first.id, false, [mara.id]]])
    await held.end()
    await world.idle()
    expect(gist(await conversations(mara))).toEqual([[first.id, false, [joel.id]]])
  })

  test('an account takes along what only it said', async () => {
    const [mara, joel, ines] = await strangers()
    await writesTo(joel, [mara])
    const answered = await writesTo(mara, [joel])
    await writesTo(joel, [mara], { in_reply_to_id: answered.id })
    const kept = await writesTo(ines, [mara])
    await query(world, 'update statuses.account set is_suspended = true where id = $1', [joel.id])
    expect(gist(await conversations(mara))).toEqual([
      [kept.id, true, [ines.id]],
      [answered.id, false, [joel.id]],
    ])
    expect((await walk(mara, '/api/v1/conversations?limit=1')).flat()).toHaveLength(2)
  })
})

describe('blocks and mutes', () => {
  test('a block clears the blocker’s conversations with that person, and no one else’s', async () => {
    const [mara, joel, ines] = await strangers()
    const alone = await writesTo(joel, [mara])
    const together = await writesTo(ines, [mara, joel])
    const kept = await writesTo(ines, [mara])
    await mara.does('block', joel)
    await world.idle()
    expect(gist(await conversations(mara))).toEqual([[kept.id, true, [ines.id]]])
    expect(gist(await conversations(joel))).toEqual([
      [together.id, true, sorted([mara, ines])],
      [alone.id, false, [mara.id]],
    ])
  })

  test('a blocked account still reads what it may see, and a full page of it', async () => {
    const [mara, joel, ines] = await strangers()
    const own = await writesTo(joel, [mara])
    await writesTo(mara, [joel], { in_reply_to_id: own.id })
    const other = await writesTo(ines, [joel])
    await writesTo(mara, [joel])
    await mara.does('block', joel)
    await world.idle()
    expect(gist(await conversations(joel))).toEqual([
      [other.id, true, [ines.id]],
      [own.id, false, [mara.id]],
    ])
    expect((await walk(joel, '/api/v1/conversations?limit=1')).flat()).toHaveLength(2)
  })

  test('a blocked account makes nothing for the blocker', async () => {
    const [mara, joel, ines] = await strangers()
    const first = await writesTo(ines, [mara, joel])
    await mara.does('block', joel)
    await writesTo(joel, [mara, ines], { in_reply_to_id: first.id })
    await writesTo(ines, [mara, joel], { in_reply_to_id: first.id })
    expect(await conversations(mara)).toEqual([])
  })

  test('a mute clears and keeps away, unless it leaves notifications on', async () => {
    const [mara, joel, ines] = await strangers()
    const first = await writesTo(joel, [mara])
    const second = await writesTo(ines, [mara])
    await mara.does('mute', joel)
    await mara.does('mute', ines, { notifications: false })
    await world.idle()
    expect(gist(await conversations(mara))).toEqual([[second.id, true, [ines.id]]])
    await writesTo(joel, [mara], { in_reply_to_id: first.id })
    const third = await writesTo(ines, [mara], { in_reply_to_id: second.id })
    expect(gist(await conversations(mara))).toEqual([[third.id, true, [ines.id]]])
    await mara.does('unmute', joel)
    const fourth = await writesTo(joel, [mara], { in_reply_to_id: first.id })
    expect(gist(await conversations(mara))).toEqual([
      [fourth.id, true, [joel.id]],
      [third.id, true, [ines.id]],
    ])
  })

  test('who muted someone still has the conversation they begin themselves', async () => {
    const [mara, joel] = await strangers()
    await mara.does('mute', joel)
    const said = await writesTo(mara, [joel])
    await writesTo(joel, [mara], { in_reply_to_id: said.id })
    expect(gist(await conversations(mara))).toEqual([[said.id, false, [joel.id]]])
  })
})

describe('what is delivered late or again', () => {
  /** Puts an event into the outbox, as often as said: a relay that was killed may publish it again. */
  const happens = async (author: Person, event: NonNullable<Envelope['fact']>, { at = 0, times = 1 } = {}) => {
    const envelope = Envelope.encode({
      id: uuidv7(Date.now()),
      key: author.id,
      occurredAtMilliseconds: at,
      trace: '',
      fact: event,
    }).finish()
    for (let time = 0; time < times; time++) {
      const values = ['statuses.v1', author.id, Buffer.from(envelope)]
      await query(world, 'insert into statuses.outbox (topic, key, envelope) values ($1, $2, $3)', values)
    }
    // Someone's next event wakes the relay.
    await author.says('awake')
    await world.idle()
  }
  const published = (author: Person, { id }: { id: string }, options: { times?: number } = {}) => {
    const value = StatusPublished.fromPartial({ statusId: id, authorId: author.id, visibility: 'direct' })
    return happens(author, { $case: 'statusPublished', value }, options)
  }

  test('makes no second row and marks nothing again', async () => {
    const [mara, joel] = await strangers()
    const said = await writesTo(mara, [joel])
    await act(joel, await only(joel), 'read')
    await published(mara, said, { times: 3 })
    expect(gist(await conversations(joel))).toEqual([[said.id, false, [mara.id]]])
    const rows = await query(world, 'select conversation_id from statuses.conversation_status where status_id = $1', [said.id])
    expect(rows).toHaveLength(2)
  })

  test('an older status does not take the place of a newer one, nor bring back what was hidden', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(mara, [joel])
    const second = await writesTo(joel, [mara], { in_reply_to_id: first.id })
    await published(mara, first)
    expect(gist(await conversations(joel))).toEqual([[second.id, false, [mara.id]]])
    await hides(joel, await only(joel))
    await published(mara, first)
    expect(await conversations(joel)).toEqual([])
  })

  test('a status deleted before its event arrives is nowhere', async () => {
    const [mara, joel] = await strangers()
    const said = await writesTo(mara, [joel])
    await deletes(mara, said)
    await published(mara, said)
    expect(await conversations(joel)).toEqual([])
    expect(await query(world, 'select id from statuses.dead_letter')).toEqual([])
  })

  test('a block that is heard of late clears nothing said after it ended', async () => {
    const [mara, joel] = await strangers()
    const blockedAt = world.clock.now()
    await world.advance(1000)
    const said = await writesTo(joel, [mara])
    await happens(mara, { $case: 'accountBlocked', value: { accountId: mara.id, targetId: joel.id } }, { at: blockedAt })
    expect(gist(await conversations(mara))).toEqual([[said.id, true, [joel.id]]])
  })

  test('deleting waits for what is being placed, without a deadlock', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(joel, [mara])
    const held = await holding(world)
    await held.query('select id from statuses.conversation where last_status_id = $1 for update', [first.id])
    const said = await mara.says(`psst @${joel.username}`, { visibility: 'direct', in_reply_to_id: first.id })
    await untilSomeoneWaits(world)
    const deletion = deletes(mara, said)
    await expect.poll(() => waiting(world)).toBe(2)
    await held.end()
    await deletion
    expect(gist(await conversations(joel))).toEqual([[first.id, false, [mara.id]]])
    expect(await query(world, 'select id from statuses.dead_letter')).toEqual([])
  })
})

describe('the direct stream', () => {
  const hears = async (listener: Listener, fits: (conversation: Json) => boolean): Promise<Json> => {
    const frame = await listener.hears(({ event, payload }) => event === 'conversation' && fits(JSON.parse(payload ?? '')))
    expect(frame.stream).toEqual(['direct'])
    return JSON.parse(frame.payload ?? '')
  }

  test('tells author and recipients of a new status what their pages say, and no one else', async () => {
    const [mara, joel, ines] = await strangers()
    const [own, other, third] = await Promise.all([mara.listens('direct'), joel.listens('direct'), ines.listens('direct')])
    const said = await writesTo(mara, [joel])
    const isIt = ({ last_status }: Json) => last_status.id === said.id
    expect(await hears(own, isIt)).toEqual(await only(mara))
    expect(await hears(other, isIt)).toEqual(await only(joel))
    const later = await writesTo(mara, [ines])
    await hears(third, ({ last_status }) => last_status.id === later.id)
    expect(third.frames).toHaveLength(1)
    await Promise.all([own.close(), other.close(), third.close()])
  })

  test('tells the owner alone when the mark changes', async () => {
    const [mara, joel] = await strangers()
    await writesTo(mara, [joel])
    const conversation = await only(joel)
    const stream = await joel.listens('direct')
    await act(joel, conversation, 'read')
    expect(await hears(stream, ({ unread }) => !unread)).toEqual({ ...conversation, unread: false })
    await act(joel, conversation, 'read')
    await act(joel, conversation, 'unread')
    expect(await hears(stream, ({ unread }) => unread)).toEqual(conversation)
    expect(stream.frames).toHaveLength(2)
    await stream.close()
  })

  test('tells who had a deleted status of the one before it', async () => {
    const [mara, joel] = await strangers()
    const first = await writesTo(mara, [joel])
    const second = await writesTo(mara, [joel], { in_reply_to_id: first.id })
    const [own, other] = await Promise.all([mara.listens('direct'), joel.listens('direct')])
    await deletes(mara, second)
    const isFirst = ({ last_status }: Json) => last_status.id === first.id
    expect(await hears(own, isFirst)).toEqual(await only(mara))
    expect(await hears(other, isFirst)).toEqual(await only(joel))
    await Promise.all([own.close(), other.close()])
  })

  test('is there as an event stream too', async () => {
    const [mara, joel] = await strangers()
    const leaving = new AbortController()
    const url = `${world.origin}/api/v1/streaming/direct`
    const response = await fetch(url, { headers: { authorization: `Bearer ${joel.token}` }, signal: leaving.signal })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const said = await writesTo(mara, [joel])
    let heard = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      heard += part
      if (heard.includes('\n\n')) break
    }
    leaving.abort()
    const [, data = ''] = /^:\)\nevent: conversation\ndata: ([^\n]*)\n\n$/.exec(heard) ?? []
    expect(JSON.parse(data)).toEqual(await only(joel))
    expect(JSON.parse(data).last_status.id).toBe(said.id)
  })
})

describe('an edit that mentions someone for the first time', () => {
  const edits = async (author: Person, { id }: { id: string }, people: Person[]) => {
    const status = `psst ${people.map(({ username }) => `@${username}`).join(' ')}!`
    expect((await author.asks('PUT', `/api/v1/statuses/${id}`, { body: { status } })).status).toBe(200)
    await world.idle()
  }

  test('makes the status part of a conversation with them, and of no other', async () => {
    const [mara, joel, ines] = await strangers()
    const said = await writesTo(mara, [joel])
    await edits(mara, said, [joel, ines])
    expect(gist(await conversations(mara))).toEqual([[said.id, false, sorted([joel, ines])]])
    expect(gist(await conversations(joel))).toEqual([[said.id, true, sorted([mara, ines])]])
    expect(gist(await conversations(ines))).toEqual([[said.id, true, sorted([mara, joel])]])
    expect((await ines.notifications('?include_filtered=true')).map(({ type }) => type)).toEqual(['mention'])
  })

  test('leaves to the others what they said before', async () => {
    const [mara, joel, ines] = await strangers()
    const first = await writesTo(mara, [joel])
    const second = await writesTo(mara, [joel], { in_reply_to_id: first.id })
    await edits(mara, second, [joel, ines])
    expect(gist(await conversations(joel))).toEqual([
      [second.id, true, sorted([mara, ines])],
      [first.id, false, [mara.id]],
    ])
    await deletes(mara, second)
    expect(gist(await conversations(joel))).toContainEqual([first.id, false, [mara.id]])
  })

  test('goes on in the conversation there is when no one joined', async () => {
    const [mara, joel] = await strangers()
    const said = await writesTo(mara, [joel])
    await act(joel, await only(joel), 'read')
    await edits(mara, said, [joel])
    expect(gist(await conversations(joel))).toEqual([[said.id, false, [mara.id]]])
  })

  test('tells their streams', async () => {
    const [mara, joel, ines] = await strangers()
    const said = await writesTo(mara, [joel])
    const stream = await ines.listens('direct')
    await edits(mara, said, [joel, ines])
    const { payload } = await stream.hears(({ event }) => event === 'conversation')
    expect(JSON.parse(payload!)).toMatchObject({ unread: true, last_status: { id: said.id } })
    await stream.close()
  })

  test('tells the others of the conversation that it leaves, too', async () => {
    const [mara, joel, ines] = await strangers()
    const first = await writesTo(mara, [joel])
    const second = await writesTo(mara, [joel], { in_reply_to_id: first.id })
    const stream = await joel.listens('direct')
    await edits(mara, second, [joel, ines])
    const { payload } = await stream.hears(
      ({ event, payload }) => event === 'conversation' && JSON.parse(payload!).last_status.id === first.id,
    )
    expect(await conversations(joel)).toContainEqual(JSON.parse(payload!))
    await stream.close()
  })
})
