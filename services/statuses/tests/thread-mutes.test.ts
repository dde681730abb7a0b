import { type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// beyond-the-spec 1.14, 2.3: someone who mutes a thread gets no notifications from it.

let world: World
let mara: Person
let joel: Person
let ines: Person

beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel, ines } = await world.cast('mara', 'joel', 'ines'))
  await joel.follows(mara)
  await mara.follows(joel)
  await world.idle()
})
afterAll(() => world.close())

const HOUR = 3600
const clears = async (person: Person) => {
  await world.idle()
  await person.post('/api/v1/notifications/clear')
}
const notified = async (person: Person): Promise<string[]> => {
  await world.idle()
  return (await person.notifications()).map(({ type }) => type)
}
const mutedOf = async (person: Person, id: string) => (await person.get(`/api/v1/statuses/${id}`)).body.muted

describe('a muted thread', () => {
  test('says so in every status of it, wherever it is shown, and only to the account that muted it', async () => {
    const root = await mara.says('a long talk')
    const reply = await joel.says('@mara yes', { in_reply_to_id: root.id })
    const boost = await ines.reacts('reblog', reply)
    const other = await mara.says('something else')
    await world.idle()
    expect(await mara.reacts('mute', reply)).toMatchObject({ id: reply.id, muted: true })
    expect((await mara.get(`/api/v1/statuses/${root.id}/context`)).body.descendants).toMatchObject([{ id: reply.id, muted: true }])
    const home = await mara.home()
    expect(home.find(({ id }) => id === root.id)).toMatchObject({ muted: true })
    expect(home.find(({ id }) => id === other.id)).toMatchObject({ muted: false })
    expect((await mara.get(`/api/v1/statuses/${boost.id}`)).body).toMatchObject({ muted: true, reblog: { muted: true } })
    expect(await mutedOf(joel, root.id)).toBe(false)
    expect((await world.get(`/api/v1/statuses/${root.id}`)).body).not.toHaveProperty('muted')
    const later = await mara.says('@joel and another', { in_reply_to_id: reply.id })
    expect(later.muted).toBe(true)
    expect(await mutedOf(mara, later.id)).toBe(true)
    expect(await mara.reacts('unmute', boost)).toMatchObject({ id: boost.id, muted: false })
    expect([await mutedOf(mara, root.id), await mutedOf(mara, later.id)]).toEqual([false, false])
  })

  test('says so on live streams', async () => {
    const root = await joel.says('shall we begin?')
    await world.idle()
    await mara.reacts('mute', root)
    const stream = await mara.listens('user')
    const reply = await joel.says('we begin', { in_reply_to_id: root.id })
    await world.idle()
    const { payload } = await stream.hears(({ event }) => event === 'update')
    expect(JSON.parse(payload!)).toMatchObject({ id: reply.id, muted: true })
    await stream.close()
  })

  test('gives no notification of a mention, favourite, boost, edit or end of a poll in it', async () => {
    const root = await mara.says('tea?', { poll: { options: ['yes', 'no'], expires_in: HOUR } })
    const answer = await joel.says('@mara yes', { in_reply_to_id: root.id })
    await mara.reacts('reblog', answer)
    await clears(mara)
    await mara.reacts('mute', root)
    await joel.says('@mara are you there?', { in_reply_to_id: answer.id })
    await joel.reacts('favourite', root)
    await ines.reacts('reblog', root)
    await joel.asks('PUT', `/api/v1/statuses/${answer.id}`, { body: { status: '@mara yes, please' } })
    await world.idle()
    await world.advance(HOUR * 1000 + 1000)
    expect(await notified(mara)).toEqual([])
    await mara.reacts('unmute', root)
    await ines.reacts('favourite', root)
    expect(await notified(mara)).toEqual(['favourite'])
  })

  test('is muted for one, and others hear on', async () => {
    const root = await mara.says('@joel @ines hello')
    await clears(ines)
    await clears(joel)
    await ines.reacts('mute', root)
    await mara.says('@joel @ines again', { in_reply_to_id: root.id })
    expect([await notified(joel), await notified(ines)]).toEqual([['mention'], []])
  })

  test('marks no conversation as unread', async () => {
    const said = await joel.says('@ines psst', { visibility: 'direct' })
    await world.idle()
    const [conversation] = (await ines.get('/api/v1/conversations')).body
    await ines.post(`/api/v1/conversations/${conversation.id}/read`)
    await ines.reacts('mute', said)
    const next = await joel.says('@ines psst!', { visibility: 'direct', in_reply_to_id: said.id })
    await world.idle()
    const [after] = (await ines.get('/api/v1/conversations')).body
    expect(after).toMatchObject({ id: conversation.id, unread: false, last_status: { id: next.id, muted: true } })
  })

  test('stays one thread when what it began with is deleted', async () => {
    const root = await mara.says('soon gone')
    const [one, two] = [await joel.says('one', { in_reply_to_id: root.id }), await ines.says('two', { in_reply_to_id: root.id })]
    await mara.asks('DELETE', `/api/v1/statuses/${root.id}`)
    await mara.reacts('mute', one)
    expect(await mutedOf(mara, two.id)).toBe(true)
  })
})

test('muting and unmuting twenty times at once is the same as once', async () => {
  const root = await mara.says('over and over')
  const rows = () => query(world, 'select 1 from statuses.thread_mute where account_id = $1 and thread_id = $2', [joel.id, root.id])
  const answers = await Promise.all(Array.from({ length: 20 }, () => joel.post(`/api/v1/statuses/${root.id}/mute`)))
  expect(answers.map(({ status, body }) => [status, body.muted])).toEqual(Array(20).fill([200, true]))
  expect(await rows()).toHaveLength(1)
  const undone = await Promise.all(Array.from({ length: 20 }, () => joel.post(`/api/v1/statuses/${root.id}/unmute`)))
  expect(undone.map(({ status, body }) => [status, body.muted])).toEqual(Array(20).fill([200, false]))
  expect(await rows()).toEqual([])
})

test('a thread one cannot see cannot be muted, and looks like one that is not there', async () => {
  const secret = await mara.says('for me', { visibility: 'direct' })
  for (const act of ['mute', 'unmute']) {
    const hidden = await joel.post(`/api/v1/statuses/${secret.id}/${act}`)
    const missing = await joel.post(`/api/v1/statuses/1/${act}`)
    expect([hidden.status, hidden.text]).toEqual([404, '{"error":"Record not found"}'])
    expect([missing.status, missing.text]).toEqual([404, '{"error":"Record not found"}'])
  }
})

test('pages cost no statement more for it', async () => {
  await mara.home()
  await mara.home()
  expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
})
