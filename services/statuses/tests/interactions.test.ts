import { type Person, World } from '@rookery/test-world'
import { deadlocksOf, idsOf, linksOf, query, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const seenBy = async (viewer: Person, { id }: { id: string }) => (await viewer.get(`/api/v1/statuses/${id}`)).body
const times = <Result>(count: number, act: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))
const typesOf = async (person: Person) => {
  await world.idle()
  return (await person.notifications()).map(({ type }) => type)
}

const ACTS = [
  { act: 'favourite', undo: 'unfavourite', flag: 'favourited', count: 'favourites_count' },
  { act: 'reblog', undo: 'unreblog', flag: 'reblogged', count: 'reblogs_count' },
  { act: 'bookmark', undo: 'unbookmark', flag: 'bookmarked', count: undefined },
] as const

describe.each(ACTS)('$act and $undo', ({ act, undo, flag, count }) => {
  const counted = (number: number) => (count ? { [count]: number } : {})

  test('answer with the status as it now is, and again with the same', async () => {
    const said = await mara.says('look')
    const original = (answer: { reblog: unknown }) => (act === 'reblog' ? answer.reblog : answer)
    const done = await joel.reacts(act, said)
    expect(original(done)).toMatchObject({ id: said.id, [flag]: true, ...counted(1) })
    expect(await joel.reacts(act, said)).toEqual(done)
    expect(await seenBy(joel, said)).toMatchObject({ [flag]: true, ...counted(1) })
    expect(await seenBy(mara, said)).toMatchObject({ [flag]: false, ...counted(1) })
    const undone = await joel.reacts(undo, said)
    expect(undone).toMatchObject({ id: said.id, reblog: null, [flag]: false, ...counted(0) })
    expect(await joel.reacts(undo, said)).toEqual(undone)
    expect(await seenBy(mara, said)).toMatchObject(counted(0))
  })

  test('count exactly, however often and by however many at once', async () => {
    const { elsa, finn } = await world
      .cast(`elsa_${act}`, `finn_${act}`)
      .then((cast) => ({ elsa: cast[`elsa_${act}`], finn: cast[`finn_${act}`] }))
    const said = await mara.says('all at once')
    const people = [joel, elsa, finn]
    const before = await deadlocksOf(world)
    await times(60, (index) => people[index % 3]!.reacts(act, said))
    expect(await seenBy(joel, said)).toMatchObject({ [flag]: true, ...counted(3) })
    await times(40, (index) => people[index % 2]!.reacts(undo, said))
    expect(await seenBy(joel, said)).toMatchObject({ [flag]: false, ...counted(1) })
    expect(await seenBy(finn, said)).toMatchObject({ [flag]: true })
    await times(60, (index) => people[index % 3]!.reacts(index % 2 ? act : undo, said))
    const done = (await Promise.all(people.map((person) => seenBy(person, said)))).filter((seen) => seen[flag])
    expect(await seenBy(mara, said)).toMatchObject(counted(done.length))
    expect(await deadlocksOf(world)).toBe(before)
  })

  test('of a boost apply to what was boosted', async () => {
    const said = await mara.says('boosted')
    const { gail } = await world.cast(`gail_${act}`).then((cast) => ({ gail: cast[`gail_${act}`] }))
    const boost = await gail.reacts('reblog', said)
    await joel.reacts(act, boost)
    expect(await seenBy(joel, said)).toMatchObject({ [flag]: true })
    expect(await seenBy(joel, boost)).toMatchObject({ [flag]: true, reblog: { id: said.id, [flag]: true } })
    expect(await joel.reacts(undo, boost)).toMatchObject({ id: said.id, [flag]: false })
  })

  test('find nothing after the status is deleted, nor when it is hidden', async () => {
    const gone = await mara.says('gone')
    await mara.asks('DELETE', `/api/v1/statuses/${gone.id}`)
    const hidden = await mara.says('hidden', { visibility: 'private' })
    const answers = await Promise.all(
      [gone.id, hidden.id, '1', 'x', '9'.repeat(30)].flatMap((id) =>
        [act, undo].map((each) => joel.post(`/api/v1/statuses/${id}/${each}`)),
      ),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['404 {"error":"Record not found"}']))
  })

  test('of a status lost sight of: the undo works, counts, and shows nothing', async () => {
    const cast = await world.cast(`author_${act}`, `lost_${act}`)
    const [author, viewer] = [cast[`author_${act}`]!, cast[`lost_${act}`]!]
    const said = await author.says('for friends, later')
    await viewer.reacts(act, said)
    await author.does('block', viewer)
    const undone = await viewer.post(`/api/v1/statuses/${said.id}/${undo}`)
    expect(`${undone.status} ${undone.text}`).toBe('404 {"error":"Record not found"}')
    expect(await seenBy(author, said)).toMatchObject(counted(0))
    await author.does('unblock', viewer)
    expect(await seenBy(viewer, said)).toMatchObject({ [flag]: false, ...counted(0) })
  })

  test('while the status is being deleted either work or find nothing', async () => {
    const statuses = await times(10, () => mara.says('going'))
    const answers = await Promise.all(
      statuses.flatMap((said) => [joel.post(`/api/v1/statuses/${said.id}/${act}`), mara.asks('DELETE', `/api/v1/statuses/${said.id}`)]),
    )
    expect(answers.map(({ status }) => status).filter((status) => ![200, 404].includes(status))).toEqual([])
    expect(await query(world, 'select id from statuses.status_head where reblog_of_id = any($1::bigint[])', [idsOf(statuses)])).toEqual([])
  })
})

test('a boost that is hidden tells nothing of what it boosts: undoing through it leaves the marks on the original', async () => {
  const { rosa, sven } = await world.cast('rosa', 'sven')
  const said = await mara.says('liked by sven')
  const hidden = await rosa.reacts('reblog', said, { visibility: 'private' })
  await sven.reacts('favourite', said)
  expect((await sven.post(`/api/v1/statuses/${hidden.id}/unfavourite`)).status).toBe(404)
  expect(await seenBy(sven, said)).toMatchObject({ favourited: true })
})

test('one’s own boost of a status lost sight of is undone by its own id, too', async () => {
  const { tilda, ulf } = await world.cast('tilda', 'ulf')
  const said = await tilda.says('boosted by ulf')
  const boost = await ulf.reacts('reblog', said)
  await tilda.does('block', ulf)
  expect((await ulf.post(`/api/v1/statuses/${boost.id}/unreblog`)).status).toBe(404)
  expect(await seenBy(tilda, said)).toMatchObject({ reblogs_count: 0 })
})

test('a hundred favourites at once are all counted and notified, and change the row of the status far fewer times', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `admirer${index}`)
  const people = Object.values(await world.cast(...names))
  const said = await mara.says('much liked')
  await query(
    world,
    `create sequence statuses.seen_changes;
     create function statuses.see_change() returns trigger language plpgsql security definer as
       $$ begin perform nextval('statuses.seen_changes'); return null; end $$;
     create trigger see_change after update of favourites on statuses.status_head for each row execute function statuses.see_change()`,
  )
  await Promise.all(people.map((person) => person.reacts('favourite', said)))
  expect(await seenBy(mara, said)).toMatchObject({ favourites_count: 100 })
  const [changes] = await query(world, 'select last_value::int count from statuses.seen_changes')
  expect(changes.count).toBeLessThan(60)
  await world.idle()
  const notified = "select count(*)::int from notifications.notification where status_id = $1 and type = 'favourite'"
  expect(await query(world, notified, [said.id])).toEqual([{ count: 100 }])
  await Promise.all(people.map((person) => person.reacts('unfavourite', said)))
  expect(await seenBy(mara, said)).toMatchObject({ favourites_count: 0 })
  await world.idle()
  expect(await query(world, notified, [said.id])).toEqual([{ count: 0 }])
  await query(world, 'drop trigger see_change on statuses.status_head')
})

describe('blocks and mutes', () => {
  test('a viewer who blocks an author reads and bookmarks them by link, but neither favourites nor boosts', async () => {
    const { anna, bert } = await world.cast('anna', 'bert')
    const said = await bert.says('still here')
    await anna.does('block', bert)
    expect(await seenBy(anna, said)).toMatchObject({ id: said.id })
    expect((await anna.post(`/api/v1/statuses/${said.id}/bookmark`)).status).toBe(200)
    for (const act of ['favourite', 'reblog']) {
      const answer = await anna.post(`/api/v1/statuses/${said.id}/${act}`)
      expect([answer.status, answer.body]).toEqual([403, { error: 'This action is not allowed' }])
    }
    expect(await seenBy(bert, said)).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
  })

  test('a blocked viewer finds nothing', async () => {
    const { cleo, dean } = await world.cast('cleo', 'dean')
    const said = await cleo.says('not for dean')
    await cleo.does('block', dean)
    for (const act of ['favourite', 'reblog', 'bookmark']) expect((await dean.post(`/api/v1/statuses/${said.id}/${act}`)).status).toBe(404)
  })

  test('a mute hinders no act, only the notification', async () => {
    const { ella, fritz } = await world.cast('ella', 'fritz')
    const said = await ella.says('hm')
    await ella.does('mute', fritz)
    await fritz.reacts('favourite', said)
    await fritz.reacts('reblog', said)
    expect(await typesOf(ella)).toEqual([])
    await ella.does('mute', fritz, { notifications: false })
    await fritz.reacts('unfavourite', said)
    await fritz.reacts('favourite', said)
    expect(await typesOf(ella)).toEqual(['favourite'])
  })
})

describe('notifications', () => {
  test('come with the act and go with its undoing, never for one’s own', async () => {
    const { gwen, hank } = await world.cast('gwen', 'hank')
    const said = await gwen.says('well')
    await gwen.reacts('favourite', said)
    await gwen.reacts('reblog', said)
    expect(await typesOf(gwen)).toEqual([])
    await hank.reacts('favourite', said)
    await hank.reacts('reblog', said)
    await hank.reacts('bookmark', said)
    await world.idle()
    expect(await gwen.notifications()).toMatchObject([
      { type: 'reblog', account: { id: hank.id }, status: { id: said.id, reblog: null } },
      { type: 'favourite', account: { id: hank.id }, status: { id: said.id } },
    ])
    await hank.reacts('unfavourite', said)
    expect(await typesOf(gwen)).toEqual(['reblog'])
    await hank.reacts('unreblog', said)
    expect(await typesOf(gwen)).toEqual([])
  })
})

describe('boosts', () => {
  test('are a status of the booster, wrapped around the original', async () => {
    const said = await mara.says('#original @joel', { spoiler_text: 'warning' })
    const boost = await joel.reacts('reblog', said)
    expect(boost.id).not.toBe(said.id)
    expect(boost).toMatchObject({
      content: '',
      spoiler_text: '',
      visibility: 'public',
      uri: `${world.origin}/users/joel/statuses/${boost.id}/activity`,
      url: `${world.origin}/users/joel/statuses/${boost.id}/activity`,
      media_attachments: [],
      mentions: [],
      tags: [],
      account: { id: joel.id },
      reblogged: true,
      reblogs_count: 1,
      reblog: { id: said.id, content: said.content, account: { id: mara.id }, reblog: null, reblogged: true, reblogs_count: 1 },
    })
    expect(boost).not.toHaveProperty('pinned')
    expect(await seenBy(joel, boost)).toEqual(boost)
  })

  test('of a boost boost the original', async () => {
    const { ines } = await world.cast('ines')
    const said = await mara.says('again and again')
    const first = await joel.reacts('reblog', said)
    const second = await ines.reacts('reblog', first)
    expect(second.reblog).toMatchObject({ id: said.id, reblogs_count: 2 })
    expect(await seenBy(ines, first)).toMatchObject({ reblog: { id: said.id } })
  })

  test('have a visibility of their own: as asked, else by preference, else by the lock', async () => {
    const { jill } = await world.cast('jill')
    const boosts = async (visibility?: string) =>
      (await jill.reacts('reblog', await mara.says('x'), visibility ? { visibility } : {})).visibility
    expect(await boosts()).toBe('public')
    expect(await boosts('unlisted')).toBe('unlisted')
    expect(await boosts('private')).toBe('private')
    await jill.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    expect(await boosts()).toBe('private')
    await jill.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { privacy: 'unlisted' } } })
    expect(await boosts()).toBe('unlisted')
  })

  test.each(['direct', 'everyone', 'constructor'])('refuse the visibility %s', async (visibility) => {
    const said = await mara.says('x')
    const answer = await joel.post(`/api/v1/statuses/${said.id}/reblog`, { visibility })
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation failed: Visibility is not included in the list' }])
    expect(await seenBy(mara, said)).toMatchObject({ reblogs_count: 0 })
  })

  test('of private statuses are for their author, and stay private; of direct ones for no one', async () => {
    const { kurt, lisa } = await world.cast('kurt', 'lisa')
    await lisa.follows(kurt)
    const said = await kurt.says('@lisa for followers', { visibility: 'private' })
    const refused = await lisa.post(`/api/v1/statuses/${said.id}/reblog`)
    expect([refused.status, refused.body]).toEqual([403, { error: 'This action is not allowed' }])
    expect(await kurt.reacts('reblog', said, { visibility: 'public' })).toMatchObject({ visibility: 'private', reblog: { id: said.id } })
    const direct = await kurt.says('@lisa psst', { visibility: 'direct' })
    for (const person of [kurt, lisa]) expect((await person.post(`/api/v1/statuses/${direct.id}/reblog`)).status).toBe(403)
  })

  test('at once by one person are one boost', async () => {
    const said = await mara.says('once')
    const boosts = await times(20, () => joel.reacts('reblog', said))
    expect(new Set(idsOf(boosts)).size).toBe(1)
    const again = await joel.reacts('unreblog', said).then(() => joel.reacts('reblog', said))
    expect(again.id).not.toBe(boosts[0].id)
  })
})

describe('who did it', () => {
  const people = async (names: string[]) => Object.values(await world.cast(...names)) as Person[]

  test.each([
    ['favourite', 'favourited_by'],
    ['reblog', 'reblogged_by'],
  ])('%s: latest first, by pages, without those the reader blocks or mutes', async (act, list) => {
    const said = await mara.says('popular')
    const crowd = await people(Array.from({ length: 7 }, (_, index) => `${act}_${index}`))
    for (const person of crowd) await person.reacts(act, said)
    const path = `/api/v1/statuses/${said.id}/${list}`
    const latestFirst = idsOf(crowd).reverse()
    expect(idsOf((await world.get(path)).body)).toEqual(latestFirst)
    const pages = await walk(world, `${path}?limit=3`)
    expect(pages.map(idsOf)).toEqual([latestFirst.slice(0, 3), latestFirst.slice(3, 6), latestFirst.slice(6)])
    const first = await world.get(`${path}?limit=3`)
    expect(linksOf(first)).toEqual({
      next: expect.stringMatching(/limit=3&max_id=\d+$/),
      prev: expect.stringMatching(/limit=3&since_id=\d+$/),
    })
    const [late] = await people([`${act}_late`])
    await late!.reacts(act, said)
    expect(idsOf((await world.get(linksOf(first).prev!)).body)).toEqual([late!.id])
    await joel.does('block', crowd[1]!)
    await joel.does('mute', crowd[3]!)
    const seen = idsOf((await joel.get(path)).body)
    expect(seen).toEqual([late!.id, ...latestFirst].filter((id) => id !== crowd[1]!.id && id !== crowd[3]!.id))
    expect((await world.get(`${path}?limit=0`)).body).toEqual([])
    expect((await world.get(`${path}?limit=999`)).body).toHaveLength(8)
  })

  test('private boosts are no one’s business, and hidden statuses have no lists', async () => {
    const { nick, otis } = await world.cast('nick', 'otis')
    const said = await nick.says('mine', { visibility: 'private' })
    const open = await nick.says('ours')
    await nick.reacts('reblog', said)
    await otis.reacts('reblog', open, { visibility: 'private' })
    expect((await nick.get(`/api/v1/statuses/${said.id}/reblogged_by`)).body).toEqual([])
    expect((await world.get(`/api/v1/statuses/${open.id}/reblogged_by`)).body).toEqual([])
    for (const list of ['favourited_by', 'reblogged_by'])
      expect((await otis.get(`/api/v1/statuses/${said.id}/${list}`)).text).toBe('{"error":"Record not found"}')
  })
})

describe('one’s own lists', () => {
  test.each([
    ['favourite', 'favourites'],
    ['bookmark', 'bookmarks'],
  ])('%s: the latest interaction first, by pages forth and back', async (act, list) => {
    const { reader } = await world.cast(`reads_${list}`).then((cast) => ({ reader: cast[`reads_${list}`]! }))
    const statuses: { id: string }[] = []
    for (let index = 0; index < 7; index++) statuses.push(await mara.says(`${index}`))
    // The order of the interactions is not that of the statuses.
    const order = [3, 0, 6, 1, 5, 2, 4].map((index) => statuses[index]!)
    for (const said of order) await reader.reacts(act, said)
    const latestFirst = idsOf(order).reverse()
    const path = `/api/v1/${list}`
    const pages = await walk(reader, `${path}?limit=3`)
    expect(pages.map(idsOf)).toEqual([latestFirst.slice(0, 3), latestFirst.slice(3, 6), latestFirst.slice(6)])
    const middle = await reader.get(linksOf(await reader.get(`${path}?limit=3`)).next!)
    const back = await reader.get(linksOf(middle).prev!)
    expect(idsOf(back.body)).toEqual(latestFirst.slice(0, 3))
    expect((await reader.get(linksOf(back).prev!)).body).toEqual([])
    const last = await reader.get(linksOf(middle).next!)
    expect(linksOf(last)).toEqual({ prev: expect.any(String) })
    // One page at a time upwards from the last, without a gap.
    expect((await walk(reader, linksOf(last).prev!, 'prev')).map(idsOf)).toEqual([latestFirst.slice(3, 6), latestFirst.slice(0, 3)])
    expect((await reader.get(path)).body.every((seen: Record<string, boolean>) => seen[`${act}d`] || seen[`${act}ed`])).toBe(true)
    await reader.reacts(`un${act}`, order[2]!)
    await mara.asks('DELETE', `/api/v1/statuses/${order[4]!.id}`)
    expect(idsOf((await reader.get(path)).body)).toEqual(latestFirst.filter((id) => id !== order[2]!.id && id !== order[4]!.id))
    expect((await joel.get(`${path}?limit=0`)).body).toEqual([])
  })

  test('leave out what is hidden by now, and go on behind it', async () => {
    const { paul, quin } = await world.cast('paul', 'quin')
    await paul.follows(quin)
    const open = await mara.says('open')
    await paul.reacts('bookmark', open)
    for (let index = 0; index < 5; index++) await paul.reacts('bookmark', await quin.says('for followers', { visibility: 'private' }))
    await paul.does('unfollow', quin)
    expect(idsOf((await paul.get('/api/v1/bookmarks?limit=2')).body)).toEqual([open.id])
    await paul.does('mute', mara)
    expect(idsOf((await paul.get('/api/v1/bookmarks')).body)).toEqual([open.id])
    await mara.does('block', paul)
    expect((await paul.get('/api/v1/bookmarks')).body).toEqual([])
  })
})
