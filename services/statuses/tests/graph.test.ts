import { type Person, World } from '@rookery/test-world'
import { deadlocksOf, holding, idsOf, linksOf, query, runJob, untilSomeoneWaits, walk } from '@rookery/test-world/queries'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logEvents } from './outbox-log.ts'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const update = (person: Person, body: object) => person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })
const accountOf = async (person: Person): Promise<Json> => (await world.get(`/api/v1/accounts/${person.id}`)).body
const relation = async (viewer: Person, other: Person): Promise<Json> =>
  (await viewer.get(`/api/v1/accounts/relationships?id[]=${other.id}`)).body[0]
const listed = async (reader: Pick<Person | World, 'get'>, path: string) => idsOf((await reader.get(path)).body)
const homeOf = async (person: Person) => {
  await world.idle()
  return idsOf(await person.home('?limit=40'))
}
const notified = async (person: Person) => {
  await world.idle()
  return (await person.notifications()).map(({ type, account }) => `${type} ${account.username}`)
}

const NOTHING = {
  following: false,
  showing_reblogs: false,
  notifying: false,
  languages: null,
  followed_by: false,
  blocking: false,
  blocked_by: false,
  muting: false,
  muting_notifications: false,
  requested: false,
  requested_by: false,
  domain_blocking: false,
  endorsed: false,
  note: '',
}

describe('following', () => {
  test('answers with the relationship, counts both ways and tells the followed', async () => {
    const { anna, bert } = await world.cast('anna', 'bert')
    const followed = { ...NOTHING, id: bert.id, following: true, showing_reblogs: true }
    expect(await anna.follows(bert)).toEqual(followed)
    expect(await relation(anna, bert)).toEqual(followed)
    expect(await relation(bert, anna)).toEqual({ ...NOTHING, id: anna.id, followed_by: true })
    expect([await accountOf(anna), await accountOf(bert)]).toMatchObject([
      { following_count: 1, followers_count: 0 },
      { following_count: 0, followers_count: 1 },
    ])
    expect(await notified(bert)).toEqual(['follow anna'])
    expect(await anna.does('unfollow', bert)).toEqual({ ...NOTHING, id: bert.id })
    expect([await accountOf(anna), await accountOf(bert)]).toMatchObject([{ following_count: 0 }, { followers_count: 0 }])
    expect(await notified(bert)).toEqual([])
    expect(await anna.does('unfollow', bert)).toEqual({ ...NOTHING, id: bert.id })
  })

  test('again changes the options that are given and nothing else', async () => {
    const { cora, dirk } = await world.cast('cora', 'dirk')
    expect(await cora.follows(dirk, { reblogs: false, notify: true, languages: ['de', 'en'] })).toMatchObject({
      showing_reblogs: false,
      notifying: true,
      languages: ['de', 'en'],
    })
    expect(await cora.follows(dirk, { reblogs: true })).toMatchObject({ showing_reblogs: true, notifying: true, languages: ['de', 'en'] })
    expect(await cora.follows(dirk, { notify: false, languages: [] })).toMatchObject({
      showing_reblogs: true,
      notifying: false,
      languages: null,
    })
    expect(await notified(dirk)).toEqual(['follow cora'])
    expect(await accountOf(dirk)).toMatchObject({ followers_count: 1 })
  })

  test('again with nothing that changes writes neither a row nor an event', async () => {
    const { rhea, sixt } = await world.cast('rhea', 'sixt')
    const written = () => query(world, 'select xmin, ctid from statuses.follow where account_id = $1', [rhea.id])
    await rhea.follows(sixt, { reblogs: false, languages: ['de'] })
    const log = await logEvents(world)
    const before = await written()
    const kinds = ['accountFollowed', 'followChanged', 'recipientAddressed'] as const
    for (const options of [{}, { reblogs: false }, { notify: false, languages: ['de'] }])
      expect(await rhea.follows(sixt, options)).toMatchObject({ following: true, showing_reblogs: false, languages: ['de'] })
    expect(await log.take(...kinds)).toEqual([])
    expect(await written()).toEqual(before)
    await rhea.follows(sixt, { reblogs: true })
    expect((await log.take(...kinds)).map(([kind]) => kind)).toEqual(['followChanged'])
    await log.end()
  })

  test('oneself, no one, and across a block is refused', async () => {
    const { emma, fred, gabi } = await world.cast('emma', 'fred', 'gabi')
    await emma.does('block', fred)
    await gabi.does('block', emma)
    const refusals = await Promise.all([emma, fred, gabi].map(({ id }) => emma.post(`/api/v1/accounts/${id}/follow`)))
    expect(refusals.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([403, { error: 'This action is not allowed' }]))
    expect((await fred.post(`/api/v1/accounts/${emma.id}/follow`)).status).toBe(403)
    const acts = ['follow', 'unfollow', 'block', 'unblock', 'mute', 'unmute']
    const unknown = await Promise.all(
      acts.flatMap((act) => ['1', 'x', '9'.repeat(25)].map((id) => emma.post(`/api/v1/accounts/${id}/${act}`))),
    )
    expect(new Set(unknown.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['404 {"error":"Record not found"}']))
  })

  test('ends at 7,500 people, or a tenth more than follow back', async () => {
    const { hans, ines, jana } = await world.cast('hans', 'ines', 'jana')
    const counts = 'update statuses.account set following_count = $2, followers_count = $3 where id = $1'
    await query(world, counts, [hans.id, 7500, 100])
    const refused = await hans.post(`/api/v1/accounts/${ines.id}/follow`)
    expect([refused.status, refused.body]).toEqual([422, { error: 'Validation failed: You cannot follow more than 7500 people' }])
    await query(world, counts, [hans.id, 8799, 8000])
    expect((await hans.follows(ines)).following).toBe(true)
    expect((await hans.post(`/api/v1/accounts/${jana.id}/follow`)).body).toEqual({
      error: 'Validation failed: You cannot follow more than 8800 people',
    })
    expect((await hans.follows(ines, { reblogs: false })).showing_reblogs).toBe(false)
  })
})

describe('locked accounts', () => {
  test('are asked; authorized requests are follows with the options asked for', async () => {
    const { kara, lars } = await world.cast('kara', 'lars')
    await update(kara, { locked: true })
    const asked = { ...NOTHING, id: kara.id, requested: true, showing_reblogs: false, notifying: true, languages: ['sv'] }
    expect(await lars.follows(kara, { reblogs: false, notify: true, languages: ['sv'] })).toEqual(asked)
    expect(await relation(kara, lars)).toEqual({ ...NOTHING, id: lars.id, requested_by: true })
    expect(await notified(kara)).toEqual(['follow_request lars'])
    expect(await listed(kara, '/api/v1/follow_requests')).toEqual([lars.id])
    expect((await kara.get('/api/v1/accounts/verify_credentials')).body.source.follow_requests_count).toBe(1)
    expect(await accountOf(kara)).toMatchObject({ followers_count: 0 })
    expect((await kara.post(`/api/v1/follow_requests/${lars.id}/authorize`)).body).toEqual({ ...NOTHING, id: lars.id, followed_by: true })
    expect(await relation(lars, kara)).toEqual({ ...asked, requested: false, following: true })
    expect(await notified(kara)).toEqual(['follow lars'])
    expect(await listed(kara, '/api/v1/follow_requests')).toEqual([])
    expect((await kara.get('/api/v1/accounts/verify_credentials')).body).toMatchObject({
      followers_count: 1,
      source: { follow_requests_count: 0 },
    })
    const again = await kara.post(`/api/v1/follow_requests/${lars.id}/authorize`)
    expect([again.status, again.body]).toEqual([404, { error: 'Record not found' }])
  })

  test('reject; the requester withdraws by unfollowing', async () => {
    const { mona, nils } = await world.cast('mona', 'nils')
    await update(mona, { locked: true })
    await nils.follows(mona)
    expect((await mona.post(`/api/v1/follow_requests/${nils.id}/reject`)).body).toEqual({ ...NOTHING, id: nils.id })
    expect((await mona.post(`/api/v1/follow_requests/${nils.id}/reject`)).status).toBe(404)
    expect(await notified(mona)).toEqual([])
    await nils.follows(mona)
    expect(await nils.does('unfollow', mona)).toEqual({ ...NOTHING, id: mona.id })
    expect(await notified(mona)).toEqual([])
    expect((await mona.get('/api/v1/accounts/verify_credentials')).body.source.follow_requests_count).toBe(0)
    expect((await mona.post('/api/v1/follow_requests/1/authorize')).status).toBe(404)
    expect((await mona.post('/api/v1/follow_requests/x/reject')).status).toBe(404)
  })

  test('that open up accept pending requests', async () => {
    const { olga, paul, rosa } = await world.cast('olga', 'paul', 'rosa')
    await update(olga, { locked: true })
    const said = await olga.says('for followers')
    await Promise.all([paul, rosa].map((person) => person.follows(olga)))
    await update(olga, { display_name: 'Olga' })
    await world.advance(0)
    expect(await relation(paul, olga)).toMatchObject({ requested: true, following: false })
    expect((await update(olga, { locked: false })).body.locked).toBe(false)
    await world.advance(0)
    expect(await relation(paul, olga)).toMatchObject({ requested: false, following: true })
    expect((await olga.get('/api/v1/accounts/verify_credentials')).body).toMatchObject({
      followers_count: 2,
      source: { follow_requests_count: 0 },
    })
    expect((await notified(olga)).sort()).toEqual(['follow paul', 'follow rosa'])
    expect(await homeOf(rosa)).toEqual([said.id])
  })

  test('list requests latest first, by pages', async () => {
    const { sven } = await world.cast('sven')
    await update(sven, { locked: true })
    const crowd = Object.values(await world.cast('ask1', 'ask2', 'ask3', 'ask4', 'ask5'))
    for (const person of crowd) await person.follows(sven)
    const latestFirst = idsOf(crowd).reverse()
    expect((await walk(sven, '/api/v1/follow_requests?limit=2')).map(idsOf)).toEqual([
      latestFirst.slice(0, 2),
      latestFirst.slice(2, 4),
      latestFirst.slice(4),
    ])
    expect((await sven.get('/api/v1/follow_requests?limit=0')).body).toEqual([])
  })
})

describe('blocking', () => {
  test('ends follows and requests both ways, clears homes and notifications', async () => {
    const { tina, udo, vera } = await world.cast('tina', 'udo', 'vera')
    await tina.follows(udo)
    await udo.follows(tina)
    await tina.follows(vera)
    const said = await udo.says('hello @tina')
    const mine = await tina.says('mine, about @udo')
    const about = await vera.says('have you met @udo?')
    const boost = await vera.reacts('reblog', await udo.says('for vera', { visibility: 'unlisted' }))
    await tina.does('unfollow', udo)
    const kept = await vera.says('kept')
    expect(await homeOf(tina)).toEqual([kept, boost, about, mine].map(({ id }) => id))
    await tina.follows(udo)
    expect((await notified(tina)).sort()).toEqual(['follow udo', 'mention udo'])
    expect(await tina.does('block', udo)).toEqual({ ...NOTHING, id: udo.id, blocking: true })
    expect(await relation(udo, tina)).toEqual({ ...NOTHING, id: tina.id, blocked_by: true })
    expect([await accountOf(tina), await accountOf(udo)]).toMatchObject([
      { following_count: 1, followers_count: 0 },
      { following_count: 0, followers_count: 0 },
    ])
    expect(await homeOf(tina)).toEqual([kept.id, mine.id])
    expect(await homeOf(udo)).toEqual([boost.reblog.id, said.id])
    expect(await notified(tina)).toEqual([])
    expect(await tina.does('block', udo)).toMatchObject({ blocking: true })
    expect(await listed(tina, '/api/v1/blocks')).toEqual([udo.id])
    expect(await tina.does('unblock', udo)).toEqual({ ...NOTHING, id: udo.id })
    expect(await listed(tina, '/api/v1/blocks')).toEqual([])
    // What others said comes back by itself, what the two said by a new follow.
    expect(await homeOf(tina)).toEqual([kept.id, boost.id, about.id, mine.id])
    await tina.follows(udo)
    expect(await homeOf(tina)).toEqual([kept.id, boost.reblog.id, about.id, mine.id, said.id])
  })

  test('withdraws requests, and refuses oneself', async () => {
    const { wanda, xaver } = await world.cast('wanda', 'xaver')
    await update(wanda, { locked: true })
    await xaver.follows(wanda)
    await wanda.does('block', xaver)
    expect(await listed(wanda, '/api/v1/follow_requests')).toEqual([])
    expect(await relation(xaver, wanda)).toMatchObject({ requested: false, blocked_by: true })
    expect((await wanda.post(`/api/v1/accounts/${wanda.id}/block`)).status).toBe(403)
    expect((await wanda.post(`/api/v1/accounts/${wanda.id}/mute`)).status).toBe(403)
  })
})

describe('muting', () => {
  test('clears the home, keeps the follow, hides new posts and notifications until it is taken back', async () => {
    const { yana, zeno } = await world.cast('yana', 'zeno')
    await yana.follows(zeno)
    const before = await zeno.says('before')
    await zeno.says('@yana')
    expect(await notified(yana)).toEqual(['mention zeno'])
    expect(await yana.does('mute', zeno)).toEqual({
      ...NOTHING,
      id: zeno.id,
      following: true,
      showing_reblogs: true,
      muting: true,
      muting_notifications: true,
    })
    expect(await notified(yana)).toEqual([])
    await zeno.says('during @yana')
    expect(await homeOf(yana)).toEqual([])
    expect(await notified(yana)).toEqual([])
    expect((await yana.get('/api/v1/mutes')).body).toMatchObject([{ id: zeno.id, mute_expires_at: null }])
    expect(await yana.does('unmute', zeno)).toMatchObject({ muting: false, muting_notifications: false, following: true })
    expect(await relation(zeno, yana)).toMatchObject({ muting: false, blocked_by: false, followed_by: true })
    const after = await zeno.says('after')
    expect(await homeOf(yana)).toContain(before.id)
    expect((await homeOf(yana))[0]).toBe(after.id)
    expect(await listed(world, `/api/v1/accounts/${zeno.id}/statuses`)).toContain(before.id)
  })

  test('without notifications keeps them', async () => {
    const { abel, bine } = await world.cast('abel', 'bine')
    await bine.says('@abel')
    expect(await notified(abel)).toEqual(['mention bine'])
    expect(await abel.does('mute', bine, { notifications: false })).toMatchObject({ muting: true, muting_notifications: false })
    await bine.says('@abel again')
    expect(await notified(abel)).toEqual(['mention bine', 'mention bine'])
    expect(await abel.does('mute', bine, { notifications: true })).toMatchObject({ muting_notifications: true })
    expect(await notified(abel)).toEqual([])
  })

  test('for a time ends by itself, to the moment, whether or not the job came round', async () => {
    const { cleo, dora } = await world.cast('cleo', 'dora')
    await cleo.follows(dora)
    await world.idle()
    expect(await cleo.does('mute', dora, { duration: 3600 })).toMatchObject({ muting: true })
    const end = world.clock.now() + 3_600_000
    const [entry] = (await cleo.get('/api/v1/mutes')).body
    expect(Math.abs(Date.parse(entry.mute_expires_at) - end)).toBeLessThan(2000)
    const said = await dora.says('hello')
    const unseen = async () => (await cleo.get('/api/v1/timelines/public?limit=1')).body[0]?.id !== said.id
    expect(await unseen()).toBe(true)
    const [{ left }] = await query(
      world,
      'select (extract(epoch from expires_at) * 1000)::float8 as left from statuses.mute where account_id = $1',
      [cleo.id],
    )
    world.clock.advance(left - world.clock.now() - 300)
    expect([(await relation(cleo, dora)).muting, await unseen()]).toEqual([true, true])
    world.clock.advance(left - world.clock.now() + 1)
    expect([(await relation(cleo, dora)).muting, await unseen()]).toEqual([false, false])
    expect((await cleo.get('/api/v1/mutes')).body).toEqual([])
    await runJob(world, 'end-mutes')
    expect(await query(world, 'select id from statuses.mute where account_id = $1', [cleo.id])).toEqual([])
    expect(await unseen()).toBe(false)
  })

  test('lists latest first, by pages', async () => {
    const { egon } = await world.cast('egon')
    const crowd = Object.values(await world.cast('mut1', 'mut2', 'mut3', 'mut4', 'mut5'))
    for (const person of crowd) await egon.does('mute', person)
    for (const person of crowd) await egon.does('block', person)
    const latestFirst = idsOf(crowd).reverse()
    for (const list of ['mutes', 'blocks']) {
      expect((await walk(egon, `/api/v1/${list}?limit=2`)).map(idsOf)).toEqual([
        latestFirst.slice(0, 2),
        latestFirst.slice(2, 4),
        latestFirst.slice(4),
      ])
    }
  })
})

describe('homes follow the graph', () => {
  test('a follow brings recent posts by the rules of the home, and an unfollow takes them away', async () => {
    const { fay, gus, hal, ivo } = await world.cast('fay', 'gus', 'hal', 'ivo')
    const open = await gus.says('open')
    const own = await gus.says('to myself', { in_reply_to_id: open.id })
    const others = await hal.says('others')
    const toOther = await gus.says('to another', { in_reply_to_id: others.id })
    const toFay = await gus.says('to fay', { in_reply_to_id: (await fay.says('asks')).id })
    const gone = await hal.says('gone')
    const toGone = await gus.says('to no one', { in_reply_to_id: gone.id })
    await hal.asks('DELETE', `/api/v1/statuses/${gone.id}`)
    const direct = await gus.says('@fay psst', { visibility: 'direct' })
    await gus.says('@ivo psst', { visibility: 'direct' })
    const followers = await gus.says('followers', { visibility: 'private' })
    const german = await gus.says('hallo', { language: 'de' })
    const boost = await gus.reacts('reblog', others)
    await fay.does('block', ivo)
    await gus.says('with @ivo')
    await gus.reacts('reblog', await ivo.says('blocked'))
    const asked = (await homeOf(fay))[0]!
    await fay.follows(gus)
    expect(await homeOf(fay)).toEqual([boost.id, german.id, followers.id, direct.id, toFay.id, asked, own.id, open.id])
    await fay.follows(hal)
    // With hal followed, what answers hal is of interest, unless what it answers is gone; and hal's own post needs no boost beside it.
    const both = [german.id, followers.id, direct.id, toFay.id, asked, toOther.id, others.id, own.id, open.id]
    expect(await homeOf(fay)).toEqual(both)
    expect(both).not.toContain(toGone.id)
    await fay.does('unfollow', gus)
    expect(await homeOf(fay)).toEqual([asked, others.id])
    await fay.does('unfollow', hal)
    await fay.follows(gus, { reblogs: false })
    expect(await homeOf(fay)).toEqual(both.filter((id) => id !== toOther.id && id !== others.id))
    await fay.follows(hal)
    await fay.does('unfollow', gus)
    const english = await gus.says('hello', { language: 'en' })
    await fay.follows(gus, { languages: ['de'] })
    expect(await homeOf(fay)).toContain(german.id)
    expect(await homeOf(fay)).not.toContain(english.id)
  })

  test('an unfollow before the follow was acted on leaves nothing', async () => {
    const { jon, kai } = await world.cast('jon', 'kai')
    await kai.says('hello')
    await Promise.all([jon.follows(kai), kai.says('more')])
    await jon.does('unfollow', kai)
    expect(await homeOf(jon)).toEqual([])
  })
})

describe('placing in homes', () => {
  /** The lock that placing shares and clearing takes for itself. */
  const FEEDS = "select pg_advisory_xact_lock(4712, hashtext('statuses'))"

  test('leaves out no follower where one statement ends and the next begins', async () => {
    const { first, second } = await world.cast('first', 'second')
    // One follower of one author, then 10,000 of both: the 20,000th row is the first of a follower's two.
    await query(
      world,
      `insert into statuses.account (id, username, is_active, created_at) select n, 'crowd' || n, true, now() from generate_series(1000001, 1010001) n`,
    )
    await query(
      world,
      `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
       select n, author, true, false, now() from generate_series(1000001, 1010001) n, unnest($1::bigint[]) author where n > 1000001 or author = $2`,
      [[first.id, second.id], first.id],
    )
    const other = await holding(world)
    await other.query(FEEDS)
    await first.says('holds the line')
    await untilSomeoneWaits(world)
    const said = [await first.says('one'), await second.says('two')]
    await other.end()
    await world.idle()
    const counts = 'select status_id, count(*)::int from statuses.feed where status_id = any($1::bigint[]) group by 1 order by 1'
    // With the author's own.
    expect((await query(world, counts, [idsOf(said)])).map(({ count }) => count)).toEqual([10_002, 10_001])
  })

  test('and clearing wait for each other, so that nothing of whom one left comes back', async () => {
    const { quit, left } = await world.cast('quit', 'left')
    await quit.follows(left)
    await world.idle()
    const other = await holding(world)
    await other.query(FEEDS.replace('xact_lock', 'xact_lock_shared'))
    await quit.does('unfollow', left)
    await untilSomeoneWaits(world)
    // Someone who read the follow before it ended places now.
    await other.query('insert into statuses.feed (account_id, status_id) select $1, $2', [quit.id, (await left.says('late')).id])
    await other.end()
    expect(await homeOf(quit)).toEqual([])
  })
})

describe('lists of people', () => {
  test('are filled past suspended people: a small page is neither empty nor the end', async () => {
    const { ada } = await world.cast('ada')
    const crowd = Object.values(await world.cast('old1', 'old2', 'spam1', 'spam2', 'spam3', 'spam4', 'spam5', 'new1'))
    const [old1, old2, , , , , , new1] = crowd as [Person, Person, ...Person[]] & { 7: Person }
    const said = await ada.says('look')
    for (const person of crowd) {
      await person.follows(ada)
      await person.reacts('favourite', said)
    }
    await query(world, "update statuses.account set is_suspended = true where username like 'spam%'")
    for (const path of [`/api/v1/accounts/${ada.id}/followers`, `/api/v1/statuses/${said.id}/favourited_by`]) {
      expect((await walk(world, `${path}?limit=1`)).map(idsOf)).toEqual([[new1.id], [old2.id], [old1.id]])
      expect((await walk(world, `${path}?limit=2`)).map(idsOf)).toEqual([[new1.id, old2.id], [old1.id]])
      const last = await world.get(`${path}?limit=1&min_id=0`)
      expect(idsOf(last.body)).toEqual([old1.id])
      const cursor = (await world.get(linksOf(await world.get(`${path}?limit=1`)).next!)).headers.get('link')!
      const above = new URL(/<([^>]+)>; rel="prev"/.exec(cursor)![1]!).searchParams.get('since_id')
      expect(idsOf((await world.get(`${path}?limit=1&min_id=${above}`)).body)).toEqual([new1.id])
    }
  })

  test('followers and following: latest first, by pages, without blocks either way', async () => {
    const { lou } = await world.cast('lou')
    const crowd = Object.values(await world.cast('fan1', 'fan2', 'fan3', 'fan4', 'fan5', 'fan6', 'fan7'))
    for (const person of crowd) await person.follows(lou)
    for (const person of crowd) await lou.follows(person)
    const latestFirst = idsOf(crowd).reverse()
    for (const list of ['followers', 'following']) {
      const path = `/api/v1/accounts/${lou.id}/${list}`
      expect((await walk(world, `${path}?limit=3`)).map(idsOf)).toEqual([
        latestFirst.slice(0, 3),
        latestFirst.slice(3, 6),
        latestFirst.slice(6),
      ])
      const page = await world.get(`${path}?limit=3`)
      expect(linksOf(page)).toEqual({
        next: expect.stringMatching(/limit=3&max_id=\d+$/),
        prev: expect.stringMatching(/limit=3&since_id=\d+$/),
      })
      expect((await world.get(linksOf(page).prev!)).body).toEqual([])
      expect(linksOf(await world.get(`${path}?limit=8`))).not.toHaveProperty('next')
      expect((await world.get(`${path}?limit=0`)).body).toEqual([])
      expect((await world.get('/api/v1/accounts/1/followers')).status).toBe(404)
    }
    const [first, second] = crowd as [Person, Person]
    await first.does('block', second)
    expect(await listed(first, `/api/v1/accounts/${lou.id}/followers`)).toEqual(latestFirst.filter((id) => id !== second.id))
    expect(await listed(second, `/api/v1/accounts/${lou.id}/following`)).toEqual(latestFirst.filter((id) => id !== first.id))
    await lou.does('block', first)
    for (const list of ['followers', 'following']) expect(await listed(first, `/api/v1/accounts/${lou.id}/${list}`)).toEqual([])
  })

  test('leave out whom the viewer mutes, and show their owner everyone', async () => {
    const { owen, petra, ruth } = await world.cast('owen', 'petra', 'ruth')
    for (const person of [petra, ruth]) {
      await person.follows(owen)
      await owen.follows(person)
    }
    await petra.does('mute', ruth)
    await owen.does('mute', ruth)
    for (const list of ['followers', 'following']) {
      const path = `/api/v1/accounts/${owen.id}/${list}`
      expect([await listed(petra, path), await listed(owen, path), await listed(world, path)]).toEqual([
        [petra.id],
        [ruth.id, petra.id],
        [ruth.id, petra.id],
      ])
      expect(await listed(petra, `${path}?limit=1`)).toEqual([petra.id])
      await petra.post(`/api/v1/accounts/${ruth.id}/mute`, { duration: 60 })
      expect(await listed(petra, path)).toEqual([petra.id])
    }
    await petra.does('unmute', ruth)
    expect(await listed(petra, `/api/v1/accounts/${owen.id}/followers`)).toEqual([ruth.id, petra.id])
  })

  test('are empty for others when their owner hides them', async () => {
    const { max, ned } = await world.cast('max', 'ned')
    await ned.follows(max)
    await max.follows(ned)
    await update(max, { hide_collections: true })
    for (const list of ['followers', 'following']) {
      const path = `/api/v1/accounts/${max.id}/${list}`
      expect([await listed(world, path), await listed(ned, path), await listed(max, path)]).toEqual([[], [], [ned.id]])
      expect(linksOf(await ned.get(path))).toEqual({})
    }
    expect(await listed(world, `/api/v1/accounts/${ned.id}/followers`)).toEqual([max.id])
  })

  test('relationships of many at once, in the order asked, without those that are unknown; oneself included', async () => {
    const { ora, pia } = await world.cast('ora', 'pia')
    const answer = await ora.get(`/api/v1/accounts/relationships?id[]=${pia.id}&id[]=1&id[]=x&id[]=${ora.id}`)
    expect(answer.body).toEqual([
      { ...NOTHING, id: pia.id },
      { ...NOTHING, id: ora.id },
    ])
    expect((await ora.get('/api/v1/accounts/relationships')).body).toEqual([])
    expect(idsOf((await ora.get(`/api/v1/accounts/relationships?id=${pia.id}`)).body)).toEqual([pia.id])
  })
})

describe('acts at once', () => {
  test('between many people count exactly and do not lock each other out', async () => {
    const crowd = Object.values(await world.cast('mob1', 'mob2', 'mob3', 'mob4', 'mob5', 'mob6'))
    const before = await deadlocksOf(world)
    const pairs = crowd.flatMap((one) => crowd.filter((other) => other !== one).map((other) => [one, other] as const))
    await Promise.all([...pairs, ...pairs].map(([one, other]) => one.follows(other)))
    for (const person of crowd) expect(await accountOf(person)).toMatchObject({ followers_count: 5, following_count: 5 })
    await Promise.all(pairs.flatMap(([one, other], index) => [one.does(index % 3 ? 'unfollow' : 'mute', other), one.says('meanwhile')]))
    await Promise.all(pairs.map(([one, other], index) => one.post(`/api/v1/accounts/${other.id}/${index % 4 ? 'follow' : 'block'}`)))
    for (const person of crowd) {
      const [real] = await query(
        world,
        `select (select count(*)::int from statuses.follow where target_id = $1) followers_count,
          (select count(*)::int from statuses.follow where account_id = $1) following_count`,
        [person.id],
      )
      expect(await accountOf(person)).toMatchObject(real)
    }
    expect(await deadlocksOf(world)).toBe(before)
  })

  test.each([
    ['follow', { following: true }],
    ['unfollow', { following: false }],
    ['remove_from_followers', { following: true }],
    ['block', { following: false, blocking: true }],
    ['unblock', { following: true, blocking: false }],
    ['mute', { following: true, muting: true }],
    ['unmute', { following: true, muting: false }],
  ])('20 times %s leave what one leaves', async (act, left) => {
    const [one, other] = Object.values(await world.cast(`${act}1`, `${act}2`)) as [Person, Person]
    if (act !== 'follow') await one.follows(other)
    await Promise.all(Array.from({ length: 20 }, () => one.does(act, other)))
    expect(await relation(one, other)).toMatchObject(left)
    const count = left.following ? 1 : 0
    expect([await accountOf(one), await accountOf(other)]).toMatchObject([
      { following_count: count, followers_count: 0 },
      { following_count: 0, followers_count: count },
    ])
  })

  test('20 answers to one request are one follow', async () => {
    const { gate, asker } = await world.cast('gate', 'asker')
    await update(gate, { locked: true })
    await asker.follows(gate)
    const answers = await Promise.all(Array.from({ length: 20 }, () => gate.post(`/api/v1/follow_requests/${asker.id}/authorize`)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
    expect(await accountOf(gate)).toMatchObject({ followers_count: 1 })
    expect((await gate.get('/api/v1/accounts/verify_credentials')).body.source.follow_requests_count).toBe(0)
  })
})

const NAMES = ['a', 'b', 'c'] as const
type Name = (typeof NAMES)[number]
type Act = { act: string; by: Name; on: Name }

/** What the graph should be after a sequence of acts, kept as plain sets of pairs. */
class PlainGraph {
  readonly follows = new Set<string>()
  readonly requests = new Set<string>()
  readonly blocks = new Set<string>()
  readonly mutes = new Map<string, boolean>()
  readonly endorsed = new Set<string>()
  readonly notes = new Map<string, string>()
  readonly locked = new Set<Name>()
  /** recipient: reason actor */
  readonly notified = new Set<string>()

  #endFollow(by: Name, on: Name) {
    if (this.follows.delete(`${by}${on}`)) this.notified.delete(`${on}: follow ${by}`)
    this.endorsed.delete(`${by}${on}`)
  }

  #end(by: Name, on: Name) {
    const pair = `${by}${on}`
    this.#endFollow(by, on)
    if (this.requests.delete(pair)) this.notified.delete(`${on}: follow_request ${by}`)
  }

  #tell(recipient: Name, reason: string, actor: Name) {
    if (!this.mutes.get(`${recipient}${actor}`)) this.notified.add(`${recipient}: ${reason} ${actor}`)
  }

  #accept(by: Name, on: Name) {
    this.requests.delete(`${by}${on}`)
    this.notified.delete(`${on}: follow_request ${by}`)
    this.follows.add(`${by}${on}`)
    this.#tell(on, 'follow', by)
  }

  #silence(by: Name, on: Name) {
    for (const entry of this.notified) if (entry.startsWith(`${by}: `) && entry.endsWith(` ${on}`)) this.notified.delete(entry)
  }

  /** Does an act; returns the status it should have. */
  do({ act, by, on }: Act): number {
    const pair = `${by}${on}`
    const isBlocked = this.blocks.has(pair) || this.blocks.has(`${on}${by}`)
    switch (act) {
      case 'follow':
        if (by === on || isBlocked) return 403
        if (this.follows.has(pair) || this.requests.has(pair)) return 200
        if (this.locked.has(on)) {
          this.requests.add(pair)
          this.#tell(on, 'follow_request', by)
        } else this.#accept(by, on)
        return 200
      case 'unfollow':
        this.#end(by, on)
        return 200
      case 'block':
        if (by === on) return 403
        if (this.blocks.has(pair)) return 200
        this.blocks.add(pair)
        this.#end(by, on)
        this.#end(on, by)
        this.#silence(by, on)
        return 200
      case 'unblock':
        this.blocks.delete(pair)
        return 200
      case 'mute':
      case 'mute quietly':
        if (by === on) return 403
        this.mutes.set(pair, act === 'mute')
        if (act === 'mute') this.#silence(by, on)
        return 200
      case 'unmute':
        this.mutes.delete(pair)
        return 200
      case 'remove_from_followers':
        this.#endFollow(on, by)
        return 200
      case 'endorse':
        if (!this.follows.has(pair)) return 422
        this.endorsed.add(pair)
        return 200
      case 'unendorse':
        this.endorsed.delete(pair)
        return 200
      case 'note':
        this.notes.set(pair, `${by} on ${on}`)
        return 200
      case 'authorize':
        if (!this.requests.has(`${on}${by}`)) return 404
        this.#accept(on, by)
        return 200
      case 'reject':
        if (!this.requests.delete(`${on}${by}`)) return 404
        this.notified.delete(`${by}: follow_request ${on}`)
        return 200
      case 'lock':
        this.locked.add(by)
        return 200
      default:
        if (this.locked.delete(by)) for (const asker of NAMES) if (this.requests.has(`${asker}${by}`)) this.#accept(asker, by)
        return 200
    }
  }

  relationship(by: Name, on: Name) {
    const [pair, back] = [`${by}${on}`, `${on}${by}`]
    return {
      ...NOTHING,
      following: this.follows.has(pair),
      showing_reblogs: this.follows.has(pair) || this.requests.has(pair),
      followed_by: this.follows.has(back),
      blocking: this.blocks.has(pair),
      blocked_by: this.blocks.has(back),
      muting: this.mutes.has(pair),
      muting_notifications: this.mutes.get(pair) ?? false,
      requested: this.requests.has(pair),
      requested_by: this.requests.has(back),
      endorsed: this.endorsed.has(pair),
      note: this.notes.get(pair) ?? '',
    }
  }
}

const acts = fc.array(
  fc.record({
    act: fc.constantFrom(
      'follow',
      'follow',
      'follow',
      'unfollow',
      'block',
      'unblock',
      'mute',
      'mute quietly',
      'unmute',
      'remove_from_followers',
      'endorse',
      'unendorse',
      'note',
      'authorize',
      'reject',
      'lock',
      'unlock',
    ),
    by: fc.constantFrom(...NAMES),
    on: fc.constantFrom(...NAMES),
  }),
  { minLength: 15, maxLength: 40, size: 'max' },
)

const perform = async (people: Record<Name, Person>, { act, by, on }: Act): Promise<number> => {
  const [actor, other] = [people[by], people[on]]
  if (act === 'lock' || act === 'unlock') {
    const answer = await update(actor, { locked: act === 'lock' })
    await world.advance(0)
    return answer.status
  }
  if (act === 'authorize' || act === 'reject') return (await actor.post(`/api/v1/follow_requests/${other.id}/${act}`)).status
  if (act === 'note') return (await actor.post(`/api/v1/accounts/${other.id}/note`, { comment: `${by} on ${on}` })).status
  if (act === 'mute quietly') return (await actor.post(`/api/v1/accounts/${other.id}/mute`, { notifications: false })).status
  return (await actor.post(`/api/v1/accounts/${other.id}/${act}`)).status
}

test('after any sequence of acts the graph is what a plain model says', async () => {
  let round = 0
  await fc.assert(
    fc.asyncProperty(acts, async (sequence) => {
      round++
      const cast = await world.cast(...NAMES.map((name) => `p${round}${name}`))
      const people = Object.fromEntries(NAMES.map((name) => [name, cast[`p${round}${name}`]!])) as Record<Name, Person>
      const nameOf = new Map(NAMES.map((name) => [people[name].id, name]))
      const plain = new PlainGraph()
      for (const act of sequence) expect([act, await perform(people, act)]).toEqual([act, plain.do(act)])
      await world.idle()
      for (const by of NAMES) {
        const query = NAMES.map((on) => `id[]=${people[on].id}`).join('&')
        const relationships = (await people[by].get(`/api/v1/accounts/relationships?${query}`)).body
        expect(relationships).toEqual(NAMES.map((on) => ({ ...plain.relationship(by, on), id: people[on].id })))
        const credentials = (await people[by].get('/api/v1/accounts/verify_credentials')).body
        const count = (pairs: Set<string>, place: 0 | 1) => [...pairs].filter((pair) => pair[place] === by).length
        expect(credentials).toMatchObject({
          followers_count: count(plain.follows, 1),
          following_count: count(plain.follows, 0),
          source: { follow_requests_count: count(plain.requests, 1) },
        })
        const names = async (path: string) => (await listed(people[by], path)).map((id) => nameOf.get(id)).sort()
        const ofPairs = (pairs: Iterable<string>, place: 0 | 1) =>
          [...pairs]
            .filter((pair) => pair[place] === by)
            .map((pair) => pair[1 - place])
            .sort()
        expect(await names(`/api/v1/accounts/${people[by].id}/followers`)).toEqual(ofPairs(plain.follows, 1))
        expect(await names(`/api/v1/accounts/${people[by].id}/following`)).toEqual(ofPairs(plain.follows, 0))
        expect(await names('/api/v1/follow_requests')).toEqual(ofPairs(plain.requests, 1))
        expect(await names('/api/v1/blocks')).toEqual(ofPairs(plain.blocks, 0))
        expect(await names('/api/v1/endorsements')).toEqual(ofPairs(plain.endorsed, 0))
        expect(await names('/api/v1/mutes')).toEqual(ofPairs(plain.mutes.keys(), 0))
        const notifications = (await people[by].notifications()).map(({ type, account }) => `${by}: ${type} ${nameOf.get(account.id)}`)
        expect(notifications.sort()).toEqual([...plain.notified].filter((entry) => entry.startsWith(`${by}:`)).sort())
      }
    }),
    { numRuns: 25, interruptAfterTimeLimit: 10_000 },
  )
})
