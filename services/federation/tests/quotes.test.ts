import type { Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { followsElsewhere, foundStatus, inHome, openServers } from './two-servers.ts'

// Conversations between two servers: quotes, each approved by the server of the quoted status (FEP-044f), and threads.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let servers: Awaited<ReturnType<typeof openServers>>
let here: World
let there: World
/** The accounts of this server, then of the other one. */
let mara: Person
let joel: Person
let ann: Person
let ben: Person

beforeAll(async () => {
  servers = await openServers()
  here = servers.here
  there = servers.there
  ;({ mara, joel } = await here.cast('mara', 'joel'))
  ;({ ann, ben } = await there.cast('ann', 'ben'))
  await followsElsewhere(mara, servers.handle(there, ann))
  await followsElsewhere(ann, servers.handle(here, mara))
  await servers.idle()
})

afterAll(() => servers?.close())

const reads = async (reader: Person, { id }: { id: string }): Promise<Json> => (await reader.get(`/api/v1/statuses/${id}`)).body
const quoteOf = async (reader: Person, status: { id: string }) => {
  const { quote } = await reads(reader, status)
  return quote && [quote.state, quote.quoted_status?.uri ?? null]
}

/** Ann quotes the copy of mara's status on her own server. */
const annQuotes = async (said: Json, more: object = {}) => {
  const copy = await foundStatus(ann, said.url)
  const quoting = await ann.says('what mara says', { quoted_status_id: copy.id, ...more })
  return { copy, quoting }
}

describe('a quote of a status of the other server', () => {
  it('waits for approval, is approved by its server, and is shown on both', async () => {
    const said = await mara.says('tea is ready')
    const { copy, quoting } = await annQuotes(said)
    expect(quoting.quote).toMatchObject({ state: 'pending', quoted_status: null })
    expect(await reads(ann, copy)).toMatchObject({ quotes_count: 0 })
    await servers.idle()
    expect(await quoteOf(ann, quoting)).toEqual(['accepted', said.uri])
    expect(await reads(ann, copy)).toMatchObject({ quotes_count: 1 })
    const arrived = await inHome(mara, quoting.uri)
    expect(arrived.quote).toMatchObject({ state: 'accepted', quoted_status: { id: said.id } })
    expect(arrived.content).not.toContain(said.uri)
    expect(await reads(mara, said)).toMatchObject({ quotes_count: 1 })
    const notified = (await mara.notifications()).filter(({ type, status }) => type === 'quote' && status.uri === quoting.uri)
    expect(notified).toHaveLength(1)
  })

  it('reaches the author of what is quoted though neither follows the other', async () => {
    const said = await joel.says('quote me, stranger')
    const copy = await foundStatus(ben, said.url)
    const quoting = await ben.says('look', { quoted_status_id: copy.id })
    await servers.idle()
    expect(await quoteOf(ben, quoting)).toEqual(['accepted', said.uri])
    const [notification] = (await joel.notifications()).filter(({ type }) => type === 'quote')
    expect(notification.status.uri).toBe(quoting.uri)
  })

  it('between people of that server is shown here by the approval that it carries', async () => {
    const said = await ann.says('only there until now')
    const quoting = await ben.says('look at this', { quoted_status_id: said.id })
    const copy = await foundStatus(joel, quoting.url)
    expect(await quoteOf(joel, copy)).toEqual(['accepted', said.uri])
  })

  it('is refused at once where its author lets no one quote', async () => {
    const said = await mara.says('do not quote me', { quote_approval_policy: 'nobody' })
    await servers.idle()
    const copy = await inHome(ann, said.uri)
    expect(copy.quote_approval).toMatchObject({ automatic: [], current_user: 'denied' })
    expect((await ann.post('/api/v1/statuses', { status: 'no', quoted_status_id: copy.id })).status).toBe(404)
  })

  it('is allowed to followers where its author lets followers quote', async () => {
    const said = await mara.says('followers may quote me', { quote_approval_policy: 'followers' })
    await servers.idle()
    const copy = await inHome(ann, said.uri)
    expect(copy.quote_approval).toMatchObject({ automatic: ['followers'], current_user: 'automatic' })
    expect(await reads(ben, copy)).toMatchObject({ quote_approval: { current_user: 'denied' } })
    const quoting = await ann.says('as a follower', { quoted_status_id: copy.id })
    await servers.idle()
    expect(await quoteOf(ann, quoting)).toEqual(['accepted', said.uri])
  })

  it('is rejected where its author changed their mind meanwhile', async () => {
    const said = await mara.says('quote me while you can')
    const copy = await foundStatus(ann, said.url)
    await mara.asks('PUT', `/api/v1/statuses/${said.id}/interaction_policy`, { body: { quote_approval_policy: 'nobody' } })
    const quoting = await ann.says('too late', { quoted_status_id: copy.id })
    await servers.idle()
    expect(await quoteOf(ann, quoting)).toEqual(['rejected', null])
    expect(await reads(mara, said)).toMatchObject({ quotes_count: 0 })
  })
})

describe('who may quote', () => {
  it('changes on the other server when its author says so', async () => {
    const said = await mara.says('everyone may quote me')
    await servers.idle()
    const copy = await inHome(ann, said.uri)
    expect(copy.quote_approval).toMatchObject({ automatic: ['public'], current_user: 'automatic' })
    await mara.asks('PUT', `/api/v1/statuses/${said.id}/interaction_policy`, { body: { quote_approval_policy: 'nobody' } })
    await servers.idle()
    expect(await reads(ann, copy)).toMatchObject({ quote_approval: { automatic: [], current_user: 'denied' } })
  })
})

describe('an approved quote', () => {
  it('ends on both servers when the author of what is quoted revokes it', async () => {
    const said = await mara.says('I may regret this')
    const { quoting } = await annQuotes(said)
    await servers.idle()
    const arrived = await inHome(mara, quoting.uri)
    expect((await mara.post(`/api/v1/statuses/${said.id}/quotes/${arrived.id}/revoke`)).status).toBe(200)
    await servers.idle()
    expect(await quoteOf(ann, quoting)).toEqual(['revoked', null])
    expect(await quoteOf(mara, arrived)).toEqual(['revoked', null])
    await ann.asks('PUT', `/api/v1/statuses/${quoting.id}`, { body: { status: 'edited' } })
    await servers.idle()
    expect(await quoteOf(mara, arrived)).toEqual(['revoked', null])
  })

  it('between people of one server ends on the other server too', async () => {
    const said = await mara.says('said here')
    const quoting = await joel.says('quoted here', { quoted_status_id: said.id })
    const copy = await foundStatus(ann, quoting.url)
    expect(await quoteOf(ann, copy)).toEqual(['accepted', said.uri])
    await mara.post(`/api/v1/statuses/${said.id}/quotes/${quoting.id}/revoke`)
    await servers.idle()
    expect(await quoteOf(ann, copy)).toEqual(['revoked', null])
  })

  it('of an author whom no one there follows ends for the followers of who quotes', async () => {
    const quoted = await there.person('quoted')
    const said = await quoted.says('said there')
    const quoting = await ann.says('quoted there', { quoted_status_id: said.id })
    await servers.idle()
    const copy = await inHome(mara, quoting.uri)
    expect(await quoteOf(mara, copy)).toEqual(['accepted', said.uri])
    await quoted.post(`/api/v1/statuses/${said.id}/quotes/${quoting.id}/revoke`)
    await servers.idle()
    expect(await quoteOf(mara, copy)).toEqual(['revoked', null])
  })

  it('is gone with the status that quotes', async () => {
    const said = await mara.says('quoted for a while')
    const { quoting } = await annQuotes(said)
    await servers.idle()
    expect(await reads(mara, said)).toMatchObject({ quotes_count: 1 })
    await ann.asks('DELETE', `/api/v1/statuses/${quoting.id}`)
    await servers.idle()
    expect(await reads(mara, said)).toMatchObject({ quotes_count: 0 })
  })
})

describe('a thread of the other server', () => {
  const descendantsOf = async (reader: Person, { id }: { id: string }): Promise<string[]> =>
    (await reader.get(`/api/v1/statuses/${id}/context`)).body.descendants.map(({ uri }: Json) => uri)

  it('is filled with the replies that its servers know once someone reads it, without notifying anyone', async () => {
    const root = await joel.says('who knows birds?')
    const first = await mara.says('@joel I do', { in_reply_to_id: root.id })
    const second = await joel.says('@mara which?', { in_reply_to_id: first.id })
    const hidden = await joel.says('only for followers', { in_reply_to_id: root.id, visibility: 'private' })
    const copy = await foundStatus(ben, root.url)
    expect(await descendantsOf(ben, copy)).toEqual([])
    await servers.idle()
    expect(await descendantsOf(ben, copy)).toEqual([first.uri, second.uri])
    expect((await ben.get(`/api/v2/search?q=${encodeURIComponent(hidden.uri)}&type=statuses`)).body.statuses).toEqual([])
    expect(await ben.notifications()).toEqual([])
    const third = await joel.says('robins', { in_reply_to_id: root.id })
    await descendantsOf(ben, copy)
    await servers.idle()
    expect(await descendantsOf(ben, copy)).not.toContain(third.uri)
    await servers.advance(20 * 60_000)
    await descendantsOf(ben, copy)
    await servers.idle()
    expect(await descendantsOf(ben, copy)).toContain(third.uri)
  })

  it('is filled when a reply of someone who is followed arrives', async () => {
    const root = await joel.says('a question to all')
    const other = await joel.says('and an aside', { in_reply_to_id: root.id })
    const answer = await mara.says('an answer', { in_reply_to_id: root.id })
    await servers.idle()
    const arrived = await foundStatus(ann, answer.uri)
    const rootThere = await foundStatus(ann, root.url)
    expect(arrived.in_reply_to_id).toBe(rootThere.id)
    expect((await descendantsOf(ann, rootThere)).toSorted()).toEqual([other.uri, answer.uri].toSorted())
  })
})
