import { callWithin } from '@rookery/rpc/call-within'
import type { Person, World } from '@rookery/test-world'
import { remoteAccount } from '@rookery/test-world/contract'
import { moves, names, returns } from '@rookery/test-world/moving'
import { faultsIn, listOf } from '@rookery/test-world/shape'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { followsElsewhere, found, foundStatus, inHome, openServers, relationship } from './two-servers.ts'

// After each act, the two servers process pending work in turn, eight times.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

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
let annHere: Json
let maraThere: Json

beforeAll(async () => {
  servers = await openServers()
  here = servers.here
  there = servers.there
  ;({ mara, joel } = await here.cast('mara', 'joel'))
  ;({ ann, ben } = await there.cast('ann', 'ben'))
  annHere = await followsElsewhere(mara, servers.handle(there, ann))
  maraThere = await followsElsewhere(ann, servers.handle(here, mara))
  await servers.idle()
})

afterAll(() => servers?.close())

/** Posts a status, and returns it with its copy in the home of a follower on the other server. */
const published = async (author: Person, reader: Person, text: string, more: Record<string, unknown> = {}) => {
  const status = await author.says(text, more)
  await servers.idle()
  return { status, copy: await inHome(reader, status.uri) }
}

describe('people of another server', () => {
  it('are found by their handle, with their profile', async () => {
    expect(annHere).toMatchObject({
      username: 'ann',
      acct: servers.handle(there, ann).slice(1),
      uri: `${there.address}/users/ann`,
      url: `${there.address}/@ann`,
    })
    expect(await found(joel, `${there.address}/@ann`)).toMatchObject({ id: annHere.id })
  })

  it('have the keys of an account but noindex and roles, which local accounts have', async () => {
    expect(faultsIn(annHere, remoteAccount)).toEqual([])
    expect(faultsIn((await mara.get(`/api/v1/accounts/${mara.id}/following`)).body, listOf(remoteAccount))).toEqual([])
  })

  it('are followed from both sides once their server accepts', async () => {
    expect(await relationship(mara, annHere)).toMatchObject({ following: true, requested: false, followed_by: true })
    expect(await relationship(ann, maraThere)).toMatchObject({ following: true, requested: false, followed_by: true })
    expect((await ann.notifications()).map(({ type, account }) => [type, account.acct])).toContainEqual([
      'follow',
      servers.handle(here, mara).slice(1),
    ])
  })

  it('are no longer followed when one ends it', async () => {
    const benHere = await followsElsewhere(mara, servers.handle(there, ben))
    await servers.idle()
    const maraToBen = await found(ben, servers.handle(here, mara))
    expect(await relationship(ben, maraToBen)).toMatchObject({ followed_by: true })
    await mara.post(`/api/v1/accounts/${benHere.id}/unfollow`)
    await servers.idle()
    expect(await relationship(ben, maraToBen)).toMatchObject({ followed_by: false })
  })

  it('show what they change of their profile', async () => {
    await ann.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Ann of the lake', note: 'Birds #birds' } })
    await servers.idle()
    const { body } = await mara.get(`/api/v1/accounts/${annHere.id}`)
    expect(body.display_name).toBe('Ann of the lake')
    expect(body.note).toContain('Birds')
  })

  it('who follow a locked account wait for its owner', async () => {
    const owner = await here.person('locked')
    await owner.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    const account = await followsElsewhere(ann, servers.handle(here, owner))
    await servers.idle()
    expect(await relationship(ann, account)).toMatchObject({ following: false, requested: true })
    const [request] = (await owner.get('/api/v1/follow_requests')).body
    expect(request.acct).toBe(servers.handle(there, ann).slice(1))
    await owner.post(`/api/v1/follow_requests/${request.id}/authorize`)
    await servers.idle()
    expect(await relationship(ann, account)).toMatchObject({ following: true, requested: false })
    await owner.post(`/api/v1/accounts/${request.id}/remove_from_followers`)
    await servers.idle()
    expect(await relationship(ann, account)).toMatchObject({ following: false, requested: false })
  })

  it('are refused by a locked account, and can take a request back', async () => {
    const owner = await here.person('refusing')
    await owner.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    const account = await followsElsewhere(ben, servers.handle(here, owner))
    await servers.idle()
    const [request] = (await owner.get('/api/v1/follow_requests')).body
    await owner.post(`/api/v1/follow_requests/${request.id}/reject`)
    await servers.idle()
    expect(await relationship(ben, account)).toMatchObject({ following: false, requested: false })
    await ben.post(`/api/v1/accounts/${account.id}/follow`)
    await servers.idle()
    expect((await owner.get('/api/v1/follow_requests')).body).toHaveLength(1)
    await ben.post(`/api/v1/accounts/${account.id}/unfollow`)
    await servers.idle()
    expect((await owner.get('/api/v1/follow_requests')).body).toHaveLength(0)
  })
})

describe('a post', () => {
  it('arrives in the homes of followers elsewhere as it was written', async () => {
    const { status, copy } = await published(mara, ann, 'Robins sing at dawn #birds', {
      language: 'en',
      spoiler_text: 'birds',
      visibility: 'unlisted',
    })
    expect(copy).toMatchObject({
      uri: status.uri,
      url: status.url,
      visibility: 'unlisted',
      spoiler_text: 'birds',
      language: 'en',
      account: { acct: servers.handle(here, mara).slice(1) },
    })
    expect(copy.content).toContain('Robins sing at dawn')
    expect(copy.tags.map(({ name }: Json) => name)).toEqual(['birds'])
  })

  it('for followers is seen by them and by no one else there', async () => {
    const { status, copy } = await published(mara, ann, 'only for you who follow', { visibility: 'private' })
    expect(copy).toMatchObject({ visibility: 'private' })
    expect((await ben.get(`/api/v1/statuses/${copy.id}`)).status).toBe(404)
    expect((await ben.get(`/api/v2/search?q=${encodeURIComponent(status.uri)}&resolve=true`)).body.statuses).toEqual([])
  })

  it('for followers is found by them by its address and that of its page', async () => {
    const { status, copy } = await published(mara, ann, 'look me up', { visibility: 'private' })
    expect((await foundStatus(ann, status.url)).id).toBe(copy.id)
    expect((await foundStatus(ann, status.uri)).id).toBe(copy.id)
    expect((await ben.get(`/api/v2/search?q=${encodeURIComponent(status.url)}&resolve=true`)).body.statuses).toEqual([])
  })

  it('for followers that its author boosts is seen there by who followed since', async () => {
    const author = await here.person('late_shown')
    const status = await author.says('for those who come later too', { visibility: 'private' })
    await followsElsewhere(ben, servers.handle(here, author))
    await servers.idle()
    expect((await author.post(`/api/v1/statuses/${status.id}/reblog`, { visibility: 'private' })).status).toBe(200)
    await servers.idle()
    const boosted = (await ben.home('?limit=40')).find(({ reblog }: Json) => reblog?.uri === status.uri)
    expect(boosted).toMatchObject({ visibility: 'private', reblog: { content: status.content, visibility: 'private' } })
    expect(await inHome(ann, status.uri)).toBeUndefined()
  })

  it('is edited there too, and keeps what it said before', async () => {
    const { status, copy } = await published(mara, ann, 'one robbin')
    await mara.asks('PUT', `/api/v1/statuses/${status.id}`, { body: { status: 'one robin' } })
    await servers.idle()
    const edited = (await ann.get(`/api/v1/statuses/${copy.id}`)).body
    expect(edited.content).toContain('one robin')
    expect(edited.edited_at).not.toBeNull()
    expect((await ann.get(`/api/v1/statuses/${copy.id}/history`)).body).toHaveLength(2)
  })

  it('that is deleted is gone there', async () => {
    const { status, copy } = await published(mara, ann, 'soon gone')
    await mara.asks('DELETE', `/api/v1/statuses/${status.id}`)
    await servers.idle()
    expect((await ann.get(`/api/v1/statuses/${copy.id}`)).status).toBe(404)
    expect(await inHome(ann, status.uri)).toBeUndefined()
  })

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['boosted', (id) => ben.post(`/api/v1/statuses/${id}/reblog`)],
    ['favourited', (id) => ben.post(`/api/v1/statuses/${id}/favourite`)],
    ['answered', (id) => ben.says('indeed', { in_reply_to_id: id })],
  ])('that someone of there %s without following its author is edited and deleted there too', async (what, acts) => {
    const author = await here.person(`unfollowed_${what}`)
    const status = await author.says('one robbin')
    const copy = await foundStatus(ben, status.uri)
    await acts(copy.id)
    await servers.idle()
    await author.asks('PUT', `/api/v1/statuses/${status.id}`, { body: { status: 'one robin' } })
    await servers.idle()
    expect((await ben.get(`/api/v1/statuses/${copy.id}`)).body.content).toContain('one robin')
    await author.asks('DELETE', `/api/v1/statuses/${status.id}`)
    await servers.idle()
    expect((await ben.get(`/api/v1/statuses/${copy.id}`)).status).toBe(404)
  })

  it.each<[string, () => Person]>([
    ['of their server', () => joel],
    ['of the other server', () => ben],
  ])('that is boosted leaves the homes of followers elsewhere when its author %s deletes it', async (where, author) => {
    const said = await author().says(`boosted for a while, ${where}`)
    const copy = author() === joel ? said : await foundStatus(mara, said.uri)
    const boost = (await mara.post(`/api/v1/statuses/${copy.id}/reblog`)).body
    await servers.idle()
    const boosted = async () => (await ann.home('?limit=40')).some(({ uri }: Json) => uri === boost.uri)
    expect(await boosted()).toBe(true)
    await author().asks('DELETE', `/api/v1/statuses/${said.id}`)
    await servers.idle()
    expect(await boosted()).toBe(false)
  })

  it('is found by its address by who does not follow its author, with the thread above it', async () => {
    const first = await joel.says('the first')
    const second = await joel.says('the second', { in_reply_to_id: first.id })
    const third = await joel.says('the third', { in_reply_to_id: second.id })
    const copy = await foundStatus(ben, third.url)
    const { ancestors } = (await ben.get(`/api/v1/statuses/${copy.id}/context`)).body
    expect(ancestors.map(({ uri }: Json) => uri)).toEqual([first.uri, second.uri])
  })
})

describe('what people do across servers', () => {
  it('a mention arrives with whom it is for', async () => {
    const status = await joel.says(`hello ${servers.handle(there, ben)}`)
    await servers.idle()
    const mention = (await ben.notifications()).find((notification) => notification.status?.uri === status.uri)
    expect(mention).toMatchObject({ type: 'mention', account: { acct: servers.handle(here, joel).slice(1) } })
    expect(mention.status.mentions.map(({ acct }: Json) => acct)).toEqual(['ben'])
  })

  it('a reply is below what it answers on both sides', async () => {
    const { status, copy } = await published(mara, ann, 'who hears me?')
    const reply = await ann.says(`${servers.handle(here, mara)} I do`, { in_reply_to_id: copy.id })
    await servers.idle()
    const { descendants } = (await mara.get(`/api/v1/statuses/${status.id}/context`)).body
    expect(descendants.map(({ uri }: Json) => uri)).toEqual([reply.uri])
    expect(descendants[0].in_reply_to_id).toBe(status.id)
    expect((await mara.get(`/api/v1/statuses/${status.id}`)).body.replies_count).toBe(1)
  })

  it('a favourite is counted by the author, and taken back', async () => {
    const { status, copy } = await published(mara, ann, 'like me')
    await ann.reacts('favourite', copy)
    await servers.idle()
    expect((await mara.get(`/api/v1/statuses/${status.id}`)).body.favourites_count).toBe(1)
    expect((await mara.notifications()).some(({ type, status: liked }) => type === 'favourite' && liked.id === status.id)).toBe(true)
    await ann.reacts('unfavourite', copy)
    await servers.idle()
    expect((await mara.get(`/api/v1/statuses/${status.id}`)).body.favourites_count).toBe(0)
  })

  it('what was favourited and boosted there is counted here when it is fetched, and again with its thread', async () => {
    const status = await mara.says('popular at home')
    await joel.reacts('favourite', status)
    await joel.reacts('reblog', status)
    const countsOf = async (id: string) => {
      const { favourites_count: favourites, reblogs_count: boosts } = (await ann.get(`/api/v1/statuses/${id}`)).body
      return [favourites, boosts]
    }
    const copy = await foundStatus(ann, status.url)
    expect(await countsOf(copy.id)).toEqual([1, 1])
    await mara.reacts('favourite', status)
    await servers.advance(16 * 60_000)
    await ann.get(`/api/v1/statuses/${copy.id}/context`)
    await servers.advance(0)
    expect(await countsOf(copy.id)).toEqual([2, 1])
  })

  it('a boost reaches the followers of who boosts, and is taken back', async () => {
    const status = await joel.says('boost me')
    const copy = await foundStatus(ann, status.url)
    await ann.reacts('reblog', copy)
    await servers.idle()
    const boost = (await mara.home()).find(({ reblog }) => reblog?.id === status.id)
    expect(boost).toMatchObject({ account: { acct: servers.handle(there, ann).slice(1) } })
    expect((await joel.notifications()).map(({ type }) => type)).toContain('reblog')
    expect((await joel.get(`/api/v1/statuses/${status.id}`)).body.reblogs_count).toBe(1)
    await ann.reacts('unreblog', copy)
    await servers.idle()
    expect((await joel.get(`/api/v1/statuses/${status.id}`)).body.reblogs_count).toBe(0)
    expect((await mara.home()).some(({ reblog }) => reblog?.id === status.id)).toBe(false)
  })

  it('a direct message and its answer reach those two alone', async () => {
    const sent = await mara.says(`${servers.handle(there, ann)} between us`, { visibility: 'direct' })
    await servers.idle()
    const [conversation] = (await ann.get('/api/v1/conversations')).body
    expect(conversation.last_status).toMatchObject({ uri: sent.uri, visibility: 'direct' })
    const answer = await ann.says(`${servers.handle(here, mara)} yes`, {
      visibility: 'direct',
      in_reply_to_id: conversation.last_status.id,
    })
    await servers.idle()
    const [own] = (await mara.get('/api/v1/conversations')).body
    expect(own.last_status).toMatchObject({ uri: answer.uri, in_reply_to_id: sent.id })
    expect((await ben.get(`/api/v1/statuses/${conversation.last_status.id}`)).status).toBe(404)
    expect((await joel.get(`/api/v1/statuses/${own.last_status.id}`)).status).toBe(404)
  })

  it.each([
    ['one choice', false, [1], [0, 1]],
    ['several choices', true, [0, 1], [1, 1]],
  ])('votes in a poll of %s are counted by its author and shown to its readers', async (_how, multiple, choices, votes) => {
    const { status, copy } = await published(mara, ann, `tea or coffee ${multiple}?`, {
      poll: { options: ['tea', 'coffee'], expires_in: 3600, multiple },
    })
    expect(copy.poll.options.map(({ title }: Json) => title)).toEqual(['tea', 'coffee'])
    expect((await ann.post(`/api/v1/polls/${copy.poll.id}/votes`, { choices })).status).toBe(200)
    await servers.idle()
    const { poll } = (await mara.get(`/api/v1/statuses/${status.id}`)).body
    expect(poll.options.map((option: Json) => option.votes_count)).toEqual(votes)
    expect(poll.voters_count).toBe(1)
    await servers.advance(10 * 60_000)
    const seen = (await ann.get(`/api/v1/statuses/${copy.id}`)).body.poll
    expect(seen.options.map((option: Json) => option.votes_count)).toEqual(votes)
  })

  it('a pinned post is on top of the profile there', async () => {
    const { status, copy } = await published(mara, ann, 'pin me')
    await mara.reacts('pin', status)
    await servers.idle()
    const pinned = (await ann.get(`/api/v1/accounts/${maraThere.id}/statuses?pinned=true`)).body
    expect(pinned.map(({ id }: Json) => id)).toEqual([copy.id])
    await mara.reacts('unpin', status)
    await servers.idle()
    expect((await ann.get(`/api/v1/accounts/${maraThere.id}/statuses?pinned=true`)).body).toEqual([])
  })

  it('a report is forwarded without who wrote it', async () => {
    const owner = await there.owner('staff')
    const { copy } = await published(ann, mara, 'something bad')
    const report = { account_id: annHere.id, status_ids: [copy.id], comment: 'this is bad', forward: true }
    expect((await mara.post('/api/v1/reports', report)).status).toBe(200)
    await servers.idle()
    const [filed] = (await owner.get('/api/v1/admin/reports')).body
    expect(filed).toMatchObject({ comment: 'this is bad', target_account: { username: 'ann' } })
    expect(filed.account.username).not.toBe('mara')
    expect(filed.statuses.map(({ uri }: Json) => uri)).toEqual([copy.uri])
  })
})

describe('a block', () => {
  it('ends what there was on both sides and keeps what is said from the other', async () => {
    const blocker = await here.person('blocker')
    const benHere = await followsElsewhere(blocker, servers.handle(there, ben))
    const blockerThere = await followsElsewhere(ben, servers.handle(here, blocker))
    await servers.idle()
    await blocker.post(`/api/v1/accounts/${benHere.id}/block`)
    await servers.idle()
    expect(await relationship(ben, blockerThere)).toMatchObject({ following: false, followed_by: false, blocked_by: true })
    const status = await blocker.says('not for ben')
    await servers.idle()
    expect(await inHome(ben, status.uri)).toBeUndefined()
    const mention = await ben.says(`${servers.handle(here, blocker)} hello?`)
    await servers.idle()
    expect((await blocker.notifications()).some((notification) => notification.status?.uri === mention.uri)).toBe(false)
    await blocker.post(`/api/v1/accounts/${benHere.id}/unblock`)
    await servers.idle()
    expect(await relationship(ben, blockerThere)).toMatchObject({ blocked_by: false })
  })
})

describe('an account', () => {
  it('that is deleted is gone there with what it said', async () => {
    const leaving = await there.person('leaving')
    const account = await followsElsewhere(mara, servers.handle(there, leaving))
    await servers.idle()
    const status = await leaving.says('farewell')
    await servers.idle()
    expect(await inHome(mara, status.uri)).toBeDefined()
    await there.operator().deleteAccount(callWithin(30), { username: 'leaving' })
    await servers.idle()
    expect(await inHome(mara, status.uri)).toBeUndefined()
    const gone = await mara.get(`/api/v1/accounts/${account.id}`)
    expect([404, 410].includes(gone.status) || gone.body.suspended === true).toBe(true)
  })
})

it('a move takes followers of the other server along, and once it is taken back they can follow the old account again', async () => {
  const [old, next, fan] = [await here.person('old'), await here.person('next'), await there.person('fan')]
  const oldThere = await followsElsewhere(fan, servers.handle(here, old))
  await servers.idle()
  await names(here, next, old.username)
  await moves(here, old, next.username)
  await servers.idle()
  const moved = async () => (await fan.get(`/api/v1/accounts/${oldThere.id}`)).body.moved
  expect(await moved()).toMatchObject({ username: 'next' })
  expect(await relationship(fan, oldThere)).toMatchObject({ following: false })
  expect(await relationship(fan, await moved())).toMatchObject({ following: true })
  await returns(here, old)
  await servers.idle()
  expect(await moved()).toBeUndefined()
  await fan.post(`/api/v1/accounts/${oldThere.id}/follow`)
  await servers.idle()
  expect(await relationship(fan, oldThere)).toMatchObject({ following: true })
})

describe('a domain', () => {
  const blocks = '/api/v1/admin/domain_blocks'
  let owner: Person
  let blockId: string

  /** The number of activities that the other server has received. */
  const receivedCount = async () => Number((await there.query('select max(sequence) last from federation.received_activity'))[0].last)
  /** The kinds of activities received since then, each once, from their ids. */
  const receivedSince = async (count: number): Promise<string[]> => {
    const rows = await there.query('select id from federation.received_activity where sequence > $1', [count])
    return [...new Set<string>(rows.map(({ id }) => /#(\w+)\//.exec(id)?.[1] ?? id))].sort()
  }

  it('that staff suspend neither sends nor gets anything any more', async () => {
    owner = await here.owner('owner')
    const domain = new URL(there.address).hostname
    const block = await owner.post(blocks, { domain, severity: 'suspend' })
    expect(block.status).toBe(200)
    blockId = block.body.id
    await servers.idle()
    const before = await receivedCount()
    const said = await mara.says('not for a suspended server')
    const heard = await ann.says('not heard by a server that suspended mine')
    await servers.idle()
    expect(await inHome(ann, said.uri)).toBeUndefined()
    expect(await inHome(mara, heard.uri)).toBeUndefined()
    expect(await receivedSince(before)).toEqual([])
  })

  it('that staff suspended knows that follows ended, either way, and follows again once it is no longer suspended', async () => {
    expect(await relationship(ann, maraThere)).toMatchObject({ following: false, requested: false, followed_by: false })
    await owner.asks('DELETE', `${blocks}/${blockId}`)
    await servers.idle()
    await ann.post(`/api/v1/accounts/${maraThere.id}/follow`)
    await mara.post(`/api/v1/accounts/${annHere.id}/follow`)
    await servers.idle()
    expect(await relationship(ann, maraThere)).toMatchObject({ following: true, followed_by: true })
    expect((await published(mara, ann, 'heard again')).copy).toBeDefined()
    expect((await published(ann, mara, 'heard again')).copy).toBeDefined()
  })

  it('that staff suspend by a change of its block learns that follows ended, and nothing else', async () => {
    const block = await owner.post(blocks, { domain: new URL(there.address).hostname, severity: 'silence' })
    await servers.idle()
    expect(await relationship(ann, maraThere)).toMatchObject({ following: true, followed_by: true })
    const before = await receivedCount()
    await owner.asks('PUT', `${blocks}/${block.body.id}`, { body: { severity: 'suspend' } })
    await mara.says('not for a suspended server')
    await servers.idle()
    expect(await receivedSince(before)).toEqual(['rejects', 'unfollows'])
    expect(await relationship(ann, maraThere)).toMatchObject({ following: false, followed_by: false })
  })
})
