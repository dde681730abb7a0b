import {
  AccountsDefinition,
  OutgoingDefinition,
  type OutgoingStatus,
  RemoteStatusesDefinition,
  Visibility,
} from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { innerCall, innerClient } from '@rookery/test-world/calls'
import { following, type Stranger, said, stranger } from '@rookery/test-world/elsewhere'
import { keepEvents, query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
let ann: Stranger
let bob: Stranger

beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  ann = await stranger(world, 'ann')
  bob = await stranger(world, 'bob', 'other.example')
  await following(world, ann, mara)
  await world.idle()
})
afterAll(() => world.close())

const outgoing = () => innerClient(world, OutgoingDefinition)
const actorOf = ({ username }: Person) => `${world.origin}/users/${username}`
const read = async (id: string, as: { askerId?: string; isDelivery?: boolean } = {}): Promise<OutgoingStatus | undefined> =>
  (await outgoing().readStatus(innerCall(), { id, askerId: '', isDelivery: false, ...as })).statuses[0]
const audienceOf = async (id: string) => (await outgoing().readAudience(innerCall(), { statusId: id, afterId: '', limit: 0 })).ids
const part = (accountId: string, kind: string, more: { maxId?: string; limit?: number } = {}) =>
  outgoing().readCollection(innerCall(), { accountId, kind, maxId: '', limit: 20, ...more })

test('a person who may not use the API is shown when they have signed up in full, and not before', async () => {
  const { kim } = await world.cast('kim')
  const accounts = innerClient(world, AccountsDefinition)
  const shown = async () => {
    const { actors } = await outgoing().readActors(innerCall(), { ids: [kim.id], usernames: [], withSuspended: false })
    return actors.map(({ username }) => username)
  }
  await accounts.setActive(innerCall(), { id: kim.id, isActive: false, hasJoined: false })
  expect(await shown()).toEqual([])
  await accounts.setActive(innerCall(), { id: kim.id, isActive: false, hasJoined: true })
  expect(await shown()).toEqual(['kim'])
})

describe('a status leaves', () => {
  test('as everyone sees it, with the places of all it names', async () => {
    const parent = await said(world, bob, 'a question')
    const status = await mara.says('@bob@other.example @joel #Tea', { in_reply_to_id: parent.id, spoiler_text: 'tea', language: 'en' })
    expect(await read(status.id)).toMatchObject({
      ...{ id: status.id, uri: status.uri, authorId: mara.id, authorUsername: 'mara', visibility: Visibility.PUBLIC, language: 'en' },
      ...{
        content: status.content,
        spoilerText: 'tea',
        sensitive: true,
        inReplyToUri: parent.uri,
        inReplyToAccountUri: bob.uri,
        tags: ['tea'],
      },
      mentions: [
        { accountId: bob.id, uri: bob.uri, acct: 'bob@other.example' },
        { accountId: joel.id, uri: actorOf(joel), acct: 'joel' },
      ],
    })
    expect(await read(parent.id)).toBeUndefined()
  })

  test('to who asks as they may see it, and to its audience as it is', async () => {
    const hidden = await mara.says('for followers', { visibility: 'private' })
    expect(await read(hidden.id)).toBeUndefined()
    expect(await read(hidden.id, { askerId: bob.id })).toBeUndefined()
    expect(await read(hidden.id, { askerId: ann.id })).toMatchObject({ id: hidden.id })
    expect(await read(hidden.id, { isDelivery: true })).toMatchObject({ id: hidden.id })
  })

  test('not of someone who is suspended', async () => {
    const evil = await world.person('evil')
    const { id } = await evil.says('spam')
    await query(world, 'update statuses.account set is_suspended = true, version = version + 1 where id = $1', [evil.id])
    expect(await read(id, { isDelivery: true })).toBeUndefined()
    expect(await audienceOf(id)).toEqual([])
  })

  test('as a boost, with what it boosts and whose that is', async () => {
    const theirs = await said(world, bob, 'worth it')
    const boost = await mara.reacts('reblog', theirs)
    expect(await read(boost.id)).toMatchObject({
      ...{ uri: `${actorOf(mara)}/statuses/${boost.id}/activity`, reblogOfUri: theirs.uri, reblogOfAuthorUri: bob.uri, content: '' },
    })
    expect(await audienceOf(boost.id)).toEqual([ann.id, bob.id].toSorted())
  })

  test('with its poll, edits, counts and files', async () => {
    const status = await mara.says('tea?', { poll: { options: ['yes', 'no'], expires_in: 3600 } })
    await mara.asks('PUT', `/api/v1/statuses/${status.id}`, {
      body: { status: 'tea??', poll: { options: ['yes', 'no'], expires_in: 3600 } },
    })
    await joel.reacts('favourite', status)
    const leaving = await read(status.id)
    expect(leaving).toMatchObject({ content: '<p>tea??</p>', favouritesCount: 1, poll: { options: [{ title: 'yes' }, { title: 'no' }] } })
    expect(leaving?.editedAtMilliseconds).toBeGreaterThan(0)
  })
})

describe('a status goes', () => {
  test('to followers elsewhere, to whom it mentions and to whom it answers', async () => {
    const theirs = await said(world, bob, 'a question')
    expect(await audienceOf((await mara.says('hello')).id)).toEqual([ann.id])
    expect(await audienceOf((await mara.says('yes', { in_reply_to_id: theirs.id })).id)).toEqual([ann.id, bob.id].toSorted())
    expect(await audienceOf((await mara.says('@bob@other.example', { visibility: 'direct' })).id)).toEqual([bob.id])
    expect(await audienceOf((await joel.says('no one elsewhere follows me')).id)).toEqual([])
  })

  test('not, when it is private, to someone it answers who does not follow its author', async () => {
    const theirs = await said(world, bob, 'a question')
    expect(await audienceOf((await mara.says('a secret', { in_reply_to_id: theirs.id, visibility: 'private' })).id)).toEqual([ann.id])
  })

  test('not to someone whom its author blocks', async () => {
    const rude = await stranger(world, 'rude')
    await following(world, rude, joel)
    expect(await audienceOf((await joel.says('hi')).id)).toEqual([rude.id])
    await joel.asks('POST', `/api/v1/accounts/${rude.id}/block`)
    const { id } = await joel.says('bye @rude@far.example')
    expect(await audienceOf(id)).toEqual([])
  })
})

test('followers elsewhere are listed part by part, in order of their ids', async () => {
  const star = await world.person('star')
  const fans = await Promise.all([1, 2, 3, 4, 5].map((n) => stranger(world, `fan${n}`)))
  for (const fan of fans) await following(world, fan, star)
  await following(world, joel, star)
  const ids: string[] = []
  for (let afterId = ''; ; ) {
    const { ids: some, lastId } = await outgoing().readRemoteFollowers(innerCall(), { accountId: star.id, afterId, limit: 2 })
    ids.push(...some)
    if (!lastId) break
    afterId = lastId
  }
  expect(ids).toEqual(fans.map(({ id }) => id).toSorted())
})

describe('a collection', () => {
  test('of replies has those that everyone may see, of this server and others, the oldest first', async () => {
    const status = await mara.says('what?')
    const first = await joel.says('one', { in_reply_to_id: status.id })
    await joel.says('@mara psst', { in_reply_to_id: status.id, visibility: 'direct' })
    const second = await said(world, ann, 'two', { inReplyToId: status.id })
    const replies = (id: string, askerId = '') => outgoing().readReplies(innerCall(), { id, askerId, isDelivery: false })
    expect((await replies(status.id)).items).toEqual([first.uri, second.uri])
    const hidden = await mara.says('private', { visibility: 'private' })
    await mara.says('more', { in_reply_to_id: hidden.id })
    expect((await replies(hidden.id)).items).toEqual([])
    expect((await replies(hidden.id, ann.id)).items).toHaveLength(1)
  })

  test('of an outbox has what everyone may see, part by part, the latest first', async () => {
    const nora = await world.person('nora')
    const one = await nora.says('one')
    await nora.says('private', { visibility: 'private' })
    const two = await nora.says('two', { visibility: 'unlisted' })
    const boost = await nora.reacts('reblog', one)
    const first = await part(nora.id, 'outbox', { limit: 2 })
    expect(first.items).toEqual([boost.id, two.id])
    expect((await part(nora.id, 'outbox', { limit: 2, maxId: first.nextMaxId })).items).toEqual([one.id])
    expect(await part(nora.id, 'outbox', { limit: 0 })).toMatchObject({ total: 4, items: [], nextMaxId: '' })
    expect(await part(ann.id, 'outbox')).toEqual({ total: 0, items: [], nextMaxId: '' })
  })

  test('of followers and followed has where they are, unless its owner hides them', async () => {
    const lena = await world.person('lena')
    await following(world, joel, lena)
    await following(world, ann, lena)
    await following(world, lena, bob)
    expect(await part(lena.id, 'followers')).toMatchObject({ total: 2, items: [ann.uri, actorOf(joel)] })
    expect(await part(lena.id, 'followers', { limit: 1 })).toMatchObject({ items: [ann.uri], nextMaxId: expect.stringMatching(/^\d+$/) })
    expect(await part(lena.id, 'following')).toMatchObject({ total: 1, items: [bob.uri] })
    await lena.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { hide_collections: true } })
    expect(await part(lena.id, 'followers')).toEqual({ total: 2, items: [], nextMaxId: '' })
  })

  test('of pins and tags has what is on the profile', async () => {
    const gina = await world.person('gina')
    const status = await gina.says('#Tea')
    await gina.reacts('pin', status)
    await gina.post('/api/v1/featured_tags', { name: 'Tea' })
    expect((await part(gina.id, 'featured')).items).toEqual([status.uri])
    expect((await part(gina.id, 'featured_tags')).items).toEqual(['Tea'])
    await expect(part(gina.id, 'secrets')).rejects.toThrow()
  })

  test('of pins has what everyone may see, and nothing for followers alone', async () => {
    const { hana } = await world.cast('hana')
    const open = await hana.says('for everyone')
    const closed = await hana.says('for followers', { visibility: 'private' })
    for (const status of [open, closed]) expect((await hana.post(`/api/v1/statuses/${status.id}/pin`)).status).toBe(200)
    expect((await part(hana.id, 'featured')).items).toEqual([open.uri])
  })
})

test('people leave as their profiles are; those who are closed, suspended or elsewhere do not', async () => {
  const otto = await world.person('otto')
  const note = 'I drink #tea'
  await otto.asks('PATCH', '/api/v1/accounts/update_credentials', {
    body: { display_name: 'Otto', note, bot: true, fields_attributes: [{ name: 'site', value: 'https://tea.example' }] },
  })
  const actors = async (ids: string[], usernames: string[] = []) => (await outgoing().readActors(innerCall(), { ids, usernames })).actors
  const [actor] = await actors([otto.id])
  expect(actor).toMatchObject({ id: otto.id, username: 'otto', displayName: 'Otto', bot: true, movedTo: '', alsoKnownAs: [] })
  expect(actor?.note).toContain('<p>')
  expect(actor?.fields[0]).toMatchObject({ name: 'site', value: expect.stringContaining('<a href="https://tea.example"') })
  expect((await actors([], ['OTTO'])).map(({ id }) => id)).toEqual([otto.id])
  await stranger(world, 'otto')
  expect((await actors([ann.id], ['otto'])).map(({ id }) => id)).toEqual([otto.id])
  await query(world, 'update statuses.account set is_suspended = true where id = $1', [otto.id])
  expect(await actors([otto.id])).toEqual([])
})

test('references say where people and statuses are', async () => {
  const ours = await mara.says('ours')
  const theirs = await said(world, ann, 'theirs')
  const boost = await mara.reacts('reblog', theirs)
  const { accounts, statuses } = await outgoing().readReferences(innerCall(), {
    accountIds: [mara.id, ann.id, '1'],
    statusIds: [ours.id, theirs.id, boost.id, '1'],
  })
  expect(accounts).toEqual(
    expect.arrayContaining([
      { id: mara.id, uri: actorOf(mara), isLocal: true, username: 'mara' },
      { id: ann.id, uri: ann.uri, isLocal: false, username: 'ann' },
    ]),
  )
  expect(accounts).toHaveLength(2)
  expect(Object.fromEntries(statuses.map(({ id, uri, isLocal }) => [id, [uri, isLocal]]))).toEqual({
    [ours.id]: [ours.uri, true],
    [theirs.id]: [theirs.uri, false],
    [boost.id]: [`${actorOf(mara)}/statuses/${boost.id}/activity`, true],
  })
})

test('boosts of statuses of other servers are taken back with where they went, by who boosted or with what they boost', async () => {
  const eventsOf = await keepEvents(world)
  const theirs = await said(world, bob, 'worth it')
  const boost = await mara.reacts('reblog', theirs)
  await mara.reacts('unreblog', theirs)
  const deleted = (await eventsOf(mara)).find(({ $case }) => $case === 'statusDeleted')
  expect(deleted.value.sent).toEqual({
    uri: `${actorOf(mara)}/statuses/${boost.id}/activity`,
    remoteAccountIds: [bob.id],
    reblogOfUri: theirs.uri,
  })
  const again = await mara.reacts('reblog', theirs)
  await innerClient(world, RemoteStatusesDefinition).delete(innerCall(), { uri: theirs.uri, authorId: bob.id })
  const last = (await eventsOf(mara)).findLast(({ $case }) => $case === 'statusDeleted')
  expect(last.value).toMatchObject({ statusId: again.id })
  expect(last.value.sent).toMatchObject({ uri: `${actorOf(mara)}/statuses/${again.id}/activity`, reblogOfUri: theirs.uri })
})
