import { FederationOperatorDefinition } from '@rookery/contracts/federation'
import type { Person, World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { moves, names } from '@rookery/test-world/moving'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { followsElsewhere, found, openServers, relationship } from './two-servers.ts'

// Accounts across two servers: moves in both directions, profile changes, and counts.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let servers: Awaited<ReturnType<typeof openServers>>
let here: World
let there: World

beforeAll(async () => {
  servers = await openServers()
  here = servers.here
  there = servers.there
})

afterAll(() => servers?.close())

const HOUR = 3_600_000
const accountSeen = async (reader: Person, { id }: { id: string }): Promise<Json> => (await reader.get(`/api/v1/accounts/${id}`)).body

describe.each(['here', 'there'] as const)('a move of someone of the server %s', (side) => {
  const sides = () => (side === 'here' ? { from: here, to: there } : { from: there, to: here })

  it('brings the followers of both servers along once, where the new account names the old one', async () => {
    const { from, to } = sides()
    const [old, near, next, far] = await Promise.all([
      ...[`old${side}`, `near${side}`].map((name) => from.person(name)),
      ...[`new${side}`, `far${side}`].map((name) => to.person(name)),
    ])
    const oldSeen = await followsElsewhere(far!, servers.handle(from, old!))
    await near!.follows(old!)
    const nextSeen = await found(old!, servers.handle(to, next!))
    await found(next!, servers.handle(from, old!))
    await servers.idle()
    expect((await moves(from, old!, servers.handle(to, next!))).text).not.toContain('You have moved.')

    expect((await names(to, next!, servers.handle(from, old!))).text).toContain('It can move here now.')
    await servers.idle()
    expect((await moves(from, old!, servers.handle(to, next!))).text).toContain('You have moved.')
    await servers.idle()
    await servers.advance(60_000)
    expect((await accountSeen(near!, old!)).moved).toMatchObject({ id: nextSeen.id })
    expect((await accountSeen(far!, oldSeen)).moved).toMatchObject({ id: next!.id })
    expect(await relationship(far!, next!)).toMatchObject({ following: true })
    expect(await relationship(far!, oldSeen)).toMatchObject({ following: false })
    expect(await relationship(near!, nextSeen)).toMatchObject({ following: true, requested: false })
    expect((await accountSeen(far!, next!)).followers_count).toBe(2)
  })
})

describe('a profile', () => {
  it('tells other servers of the tags that it features', async () => {
    const ann = await there.person('tagging')
    const { status } = await ann.post('/api/v1/featured_tags', { name: 'birds' })
    expect(status).toBe(200)
    const answer = await there.asks('GET', '/users/tagging/collections/tags', { headers: { accept: 'application/activity+json' } })
    expect(JSON.parse(answer.text)).toMatchObject({ totalItems: 1, orderedItems: [{ type: 'Hashtag', name: '#birds' }] })
  })

  it('shows the counts and pins that its server says, from when someone looks for it', async () => {
    const { counted, fan, other } = await there.cast('counted', 'fan', 'other')
    await fan!.follows(counted!)
    await other!.follows(counted!)
    await counted!.follows(fan!)
    const first = await counted!.says('one')
    await counted!.says('two')
    await counted!.reacts('pin', first)
    const reader = await here.person('reader')
    const account = await found(reader, servers.handle(there, counted!))
    await servers.idle()
    expect(await accountSeen(reader, account)).toMatchObject({ followers_count: 2, following_count: 1, statuses_count: 2 })
    const pinned = (await reader.get(`/api/v1/accounts/${account.id}/statuses?pinned=true`)).body
    expect(pinned.map(({ uri }: Json) => uri)).toEqual([first.uri])
  })

  it('shows new counts when its server sends its profile, once in six hours', async () => {
    const { growing } = await there.cast('growing')
    const account = await followsElsewhere(await here.person('watcher'), servers.handle(there, growing!))
    await servers.idle()
    const reader = await here.person('counting')
    const seenAfter = async (display_name: string) => {
      await growing!.follows(await there.person(display_name))
      await growing!.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name } })
      await servers.idle()
      const { display_name: name, following_count } = await accountSeen(reader, account)
      return [name, following_count]
    }
    expect(await seenAfter('soon')).toEqual(['soon', 0])
    await servers.advance(6 * HOUR)
    expect(await seenAfter('later')).toEqual(['later', 2])
    expect(await seenAfter('again')).toEqual(['again', 2])
  })

  it('is sent under its new key when that changes, also of the server itself', async () => {
    const { keyed } = await there.cast('keyed')
    const reader = await here.person('keyreader')
    await followsElsewhere(reader, servers.handle(there, keyed!))
    await servers.idle()
    const operator = operatorClient(there, FederationOperatorDefinition)
    for (const username of ['keyed', '']) await operator.rotateKey(innerCall(), { username })
    await servers.idle()
    const said = await keyed!.says('under another key')
    await servers.idle()
    expect((await reader.home()).map(({ uri }) => uri)).toContain(said.uri)
  })
})

describe('followers that the servers count differently', () => {
  it('are mended when a status for followers arrives: who does not follow there no more here, who does not follow here no more there', async () => {
    const { said } = await here.cast('said')
    const { stays, lost, extra } = await there.cast('stays', 'lost', 'extra')
    const accounts = await Promise.all([stays, lost, extra].map((person) => followsElsewhere(person!, servers.handle(here, said!))))
    await servers.idle()
    const [account] = accounts
    const idHere = async (person: Person) => (await found(said!, servers.handle(there, person))).id
    await query(here, 'delete from statuses.follow where account_id = $1 and target_id = $2', [await idHere(lost!), said!.id])
    await query(there, 'delete from statuses.follow where account_id = $1 and target_id = $2', [extra!.id, account.id])
    expect(await relationship(lost!, account)).toMatchObject({ following: true })
    expect(await relationship(said!, { id: await idHere(extra!) })).toMatchObject({ followed_by: true })
    await said!.says('for followers', { visibility: 'private' })
    await servers.idle()
    expect(await relationship(stays!, account)).toMatchObject({ following: true })
    expect(await relationship(lost!, account)).toMatchObject({ following: false })
    expect(await relationship(said!, { id: await idHere(extra!) })).toMatchObject({ followed_by: false })
    expect(await relationship(said!, { id: await idHere(stays!) })).toMatchObject({ followed_by: true })
  })

  it('are shown to actors of their own server alone', async () => {
    const answer = await here.asks('GET', '/users/said/followers_synchronization', { headers: { accept: 'application/activity+json' } })
    expect(answer.status).toBe(401)
  })
})
