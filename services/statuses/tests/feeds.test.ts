import { type Person, World } from '@rookery/test-world'
import { idsOf, query, runJob, saidLongAgo, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

type Said = { id: string }

const homeOf = async (person: Person) => {
  await world.idle()
  return idsOf(await person.home('?limit=40'))
}
const listOf = async (person: Person, id: string) => {
  await world.idle()
  return idsOf((await person.get(`/api/v1/timelines/list/${id}?limit=40`)).body)
}
const keepsList = async (owner: Person, members: readonly Person[], settings: object = {}): Promise<string> => {
  const { id } = (await owner.post('/api/v1/lists', { title: 'list', ...settings })).body
  const answer = await owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: members.map((member) => member.id) })
  expect(answer.status).toBe(200)
  return id
}
const replies = (by: Person, to: Said, text = 'reply') => by.says(text, { in_reply_to_id: to.id })

describe('who is followed', () => {
  test('an edit moves a post to where it belongs now', async () => {
    const { vera, anna, carl } = await world.cast('vera', 'anna', 'carl')
    await vera.follows(anna, { languages: ['de'] })
    await vera.does('block', carl)
    const said = await anna.says('tea', { language: 'en' })
    const edit = (more: object) => anna.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'tea', ...more } })
    expect(await homeOf(vera)).toEqual([])
    await edit({ language: 'de' })
    expect(await homeOf(vera)).toEqual([said.id])
    await edit({ language: 'en' })
    expect(await homeOf(vera)).toEqual([])
    await edit({ language: 'de' })
    await edit({ language: 'de', status: 'tea with @carl' })
    expect(await homeOf(vera)).toEqual([])
  })

  test('options of a follow count for what was said before', async () => {
    const { dora, emil, fred } = await world.cast('dora', 'emil', 'fred')
    const original = await fred.says('original')
    const german = await emil.says('tee', { language: 'de' })
    const boost = await emil.reacts('reblog', original)
    await dora.follows(emil)
    expect(await homeOf(dora)).toEqual([boost.id, german.id])
    await dora.follows(emil, { reblogs: false })
    expect(await homeOf(dora)).toEqual([german.id])
    await dora.follows(emil, { languages: ['en'], reblogs: true })
    expect(await homeOf(dora)).toEqual([boost.id])
  })

  test('replies come and go with whom they answer, and go when that is gone', async () => {
    const { gina, hugo, ines } = await world.cast('gina', 'hugo', 'ines')
    await gina.follows(hugo)
    const asked = await ines.says('asked')
    const answered = await replies(hugo, asked)
    expect(await homeOf(gina)).toEqual([])
    await gina.follows(ines)
    expect(await homeOf(gina)).toEqual([answered.id, asked.id])
    await gina.does('unfollow', ines)
    expect(await homeOf(gina)).toEqual([])
    await gina.follows(ines)
    await ines.asks('DELETE', `/api/v1/statuses/${asked.id}`)
    expect(await homeOf(gina)).toEqual([])
    expect(await homeOf(hugo)).toEqual([answered.id])
  })

  test('what a block or mute took away comes back when it ends, also by itself', async () => {
    const { jana, karl, lars } = await world.cast('jana', 'karl', 'lars')
    await jana.follows(karl)
    const about = await karl.says('about @lars')
    const boost = await karl.reacts('reblog', await lars.says('by lars'))
    for (const [act, end] of [
      ['block', 'unblock'],
      ['mute', 'unmute'],
    ] as const) {
      await jana.does(act, lars)
      expect(await homeOf(jana)).toEqual([])
      await jana.does(end, lars)
      expect(await homeOf(jana)).toEqual([boost.id, about.id])
    }
    await lars.does('block', jana)
    expect(await homeOf(jana)).toEqual([about.id])
    await lars.does('unblock', jana)
    await jana.does('mute', lars, { duration: 60 })
    expect(await homeOf(jana)).toEqual([])
    world.clock.advance(61_000)
    await runJob(world, 'end-mutes')
    expect(await homeOf(jana)).toEqual([boost.id, about.id])
  })
})

describe('boosts', () => {
  test('are left out near the original or another boost of it, and another takes the place of one that vanishes', async () => {
    const { mona, nils, olga, paul, quin } = await world.cast('mona', 'nils', 'olga', 'paul', 'quin')
    for (const other of [nils, olga, paul]) await mona.follows(other)
    const original = await quin.says('look')
    const [first, second] = [await nils.reacts('reblog', original), await olga.reacts('reblog', original)]
    expect(await homeOf(mona)).toEqual([first.id])
    await nils.reacts('unreblog', original)
    expect(await homeOf(mona)).toEqual([second.id])
    await paul.reacts('reblog', original)
    await mona.does('mute', olga)
    const [third] = await homeOf(mona)
    expect(await homeOf(mona)).toHaveLength(1)
    expect((await paul.home())[0].id).toBe(third)
    await mona.follows(quin)
    expect(await homeOf(mona)).toEqual([original.id])
    expect(await homeOf(quin)).toEqual([original.id])
    // One's own boost is no different.
    const own = await mona.reacts('reblog', original)
    expect(await homeOf(mona)).not.toContain(own.id)
    await quin.asks('DELETE', `/api/v1/statuses/${original.id}`)
    expect(await homeOf(mona)).toEqual([])
  })

  test('are shown again when 80 entries lie between, counted by what is shown', async () => {
    const { rita, sven, tara, udo } = await world.cast('rita', 'sven', 'tara', 'udo')
    for (const other of [sven, tara, udo]) await rita.follows(other)
    const original = await sven.says('look')
    for (let index = 0; index < 78; index++) await sven.says(`${index}`)
    const near = await tara.reacts('reblog', original)
    expect(await homeOf(rita)).not.toContain(near.id)
    for (let index = 0; index < 2; index++) await sven.says(`again ${index}`)
    const far = await udo.reacts('reblog', original)
    expect((await homeOf(rita))[0]).toBe(far.id)
  })
})

describe('followed tags', () => {
  test('bring public posts by anyone, replies too and no boosts, and take away what nothing else justifies', async () => {
    const { vito, wanda, xaver, yara } = await world.cast('vito', 'wanda', 'xaver', 'yara')
    const before = await wanda.says('#kites before')
    await vito.post('/api/v1/tags/kites/follow')
    expect(await homeOf(vito)).toEqual([before.id])
    const reply = await wanda.says('#Kites reply', { in_reply_to_id: (await xaver.says('elsewhere')).id })
    await wanda.says('#kites quietly', { visibility: 'unlisted' })
    await xaver.reacts('reblog', before)
    const own = await vito.says('#kites mine')
    expect(await homeOf(vito)).toEqual([own.id, reply.id, before.id])
    await vito.does('mute', wanda)
    expect(await homeOf(vito)).toEqual([own.id])
    await vito.does('unmute', wanda)
    await wanda.does('block', vito)
    expect(await homeOf(vito)).toEqual([own.id])
    await wanda.does('unblock', vito)
    await vito.follows(yara)
    const both = await yara.says('#kites and followed')
    await wanda.asks('PUT', `/api/v1/statuses/${before.id}`, { body: { status: 'no kites any more' } })
    expect(await homeOf(vito)).toEqual([both.id, own.id, reply.id])
    await wanda.asks('DELETE', `/api/v1/statuses/${reply.id}`)
    expect(await homeOf(vito)).toEqual([both.id, own.id])
    await wanda.says('#kites once more')
    await vito.post('/api/v1/tags/kites/unfollow')
    expect(await homeOf(vito)).toEqual([both.id, own.id])
  })
})

describe('lists', () => {
  test('show members’ posts and boosts, and replies by their policy', async () => {
    const { zora, abel, bea, cleo, dino } = await world.cast('zora', 'abel', 'bea', 'cleo', 'dino')
    for (const other of [abel, bea, cleo]) await zora.follows(other)
    const [byCleo, byDino, byZora] = [await cleo.says('followed'), await dino.says('a stranger'), await zora.says('mine')]
    const plain = await abel.says('public')
    const others: Said[] = []
    for (const visibility of ['unlisted', 'private']) others.push(await abel.says(visibility, { visibility }))
    await abel.says('@zora direct', { visibility: 'direct' })
    const boost = await abel.reacts('reblog', byDino)
    const toSelf = await replies(abel, plain)
    const toOwner = await replies(abel, byZora)
    const toMember = await replies(abel, await bea.says('member'))
    const toFollowed = await replies(abel, byCleo)
    await replies(abel, byDino)
    const always = [toOwner, toSelf, boost, ...others.reverse(), plain]
    const list = await keepsList(zora, [abel, bea], { replies_policy: 'none' })
    const shown = (said: readonly Said[]) =>
      listOf(zora, list).then((ids) => expect(ids.filter((id) => id !== fromBea)).toEqual(idsOf(said)))
    const fromBea = toMember.in_reply_to_id
    const setTo = (policy: string) => zora.asks('PUT', `/api/v1/lists/${list}`, { body: { title: 'list', replies_policy: policy } })
    await shown(always)
    await setTo('list')
    await shown([toMember, ...always])
    await setTo('followed')
    await shown([toFollowed, toMember, ...always])
    await zora.does('mute', dino)
    await shown([toFollowed, toMember, toOwner, toSelf, ...others, plain])
    await zora.asks('DELETE', `/api/v1/lists/${list}/accounts`, { body: { account_ids: [abel.id] } })
    expect(await listOf(zora, list)).toEqual([fromBea])
    await zora.does('unfollow', bea)
    expect(await listOf(zora, list)).toEqual([])
  })

  test('that are exclusive keep their members out of the home and nowhere else', async () => {
    const { edda, finn } = await world.cast('edda', 'finn')
    await edda.follows(finn)
    const said = await finn.says('said')
    const list = await keepsList(edda, [finn])
    expect([await homeOf(edda), await listOf(edda, list)]).toEqual([[said.id], [said.id]])
    const setTo = (exclusive: boolean) => edda.asks('PUT', `/api/v1/lists/${list}`, { body: { title: 'list', exclusive } })
    await setTo(true)
    const more = await finn.says('more')
    expect([await homeOf(edda), await listOf(edda, list)]).toEqual([[], [more.id, said.id]])
    await setTo(false)
    expect(await homeOf(edda)).toEqual([more.id, said.id])
    await setTo(true)
    await edda.asks('DELETE', `/api/v1/lists/${list}`)
    expect(await homeOf(edda)).toEqual([more.id, said.id])
  })

  test('are read in both directions, also where most of what members say is left out', async () => {
    const { gaby, hans } = await world.cast('gaby', 'hans')
    await gaby.follows(hans)
    const all = await saidLongAgo(world, hans, 700)
    const shown = all.filter((_, index) => index % 7 === 0 && index < 690)
    const hidden = all.filter((id) => !shown.includes(id))
    await query(world, 'update statuses.status set in_reply_to_id = $2, in_reply_to_account_id = 1 where id = any($1)', [hidden, all[0]])
    await query(world, 'update statuses.status_head set thread_id = $2, is_reply_to_other = true where id = any($1)', [hidden, all[0]])
    const list = await keepsList(gaby, [hans], { replies_policy: 'none' })
    const path = `/api/v1/timelines/list/${list}`
    expect((await walk(gaby, `${path}?limit=9`)).flatMap(idsOf)).toEqual(shown)
    expect((await walk(gaby, `${path}?limit=9&min_id=1`, 'prev')).toReversed().flatMap(idsOf)).toEqual(shown)
    expect((await gaby.get(`${path}?limit=2&since_id=${shown[3]}`)).body.map(({ id }: Said) => id)).toEqual(shown.slice(0, 2))
  })

  test('are whole where those who are asked first say all that is new', async () => {
    const cast = await world.cast('keeper', ...Array.from({ length: 17 }, (_, index) => `member_${index}`))
    const [keeper, ...others] = Object.values(cast)
    const members = others.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1))
    const byMember = await Promise.all(members.map((member, index) => saidLongAgo(world, member, 15, index < 2 ? 300 : 400)))
    for (const member of members) await keeper!.follows(member)
    const list = await keepsList(keeper!, members)
    const newest = byMember.flat().toSorted((one, other) => (BigInt(one) < BigInt(other) ? 1 : -1))
    const walked = await walk(keeper!, `/api/v1/timelines/list/${list}?limit=40`)
    expect(idsOf(walked[0]!)).toEqual(newest.slice(0, 40))
    expect(walked.flatMap(idsOf)).toEqual(newest)
    const upwards = await walk(keeper!, `/api/v1/timelines/list/${list}?limit=40&min_id=1`, 'prev')
    expect(upwards.toReversed().flatMap(idsOf)).toEqual(newest)
  })

  test('show the same wherever they were read before: where much was said, or little', async () => {
    const { nele, olaf, pia } = await world.cast('nele', 'olaf', 'pia')
    for (const member of [olaf, pia]) await nele.follows(member)
    // A minute apart, then weeks, then a minute again.
    const rare = await Promise.all(
      [100, 120, 140, 160, 180, 200].flatMap((days) => [saidLongAgo(world, olaf, 1, days), saidLongAgo(world, pia, 1, days + 7)]),
    )
    const said = [await saidLongAgo(world, olaf, 500, 90), ...rare, await saidLongAgo(world, pia, 300, 300)].flat()
    const all = said.toSorted((one, other) => (BigInt(one) < BigInt(other) ? 1 : -1))
    const list = await keepsList(nele, [olaf, pia])
    const read = async (query: string) => idsOf((await nele.get(`/api/v1/timelines/list/${list}?limit=5&${query}`)).body)
    for (const from of [0, 505, 3, 700, 490, 508, 250, 512, 480, 811, 100]) {
      expect(await read(`max_id=${all[from]}`), `below ${from}`).toEqual(all.slice(from + 1, from + 6))
      expect(await read(`min_id=${all[from]}`), `above ${from}`).toEqual(all.slice(Math.max(0, from - 5), from))
      expect(await read(`since_id=${all[from]}`), `since ${from}`).toEqual(all.slice(0, Math.min(5, from)))
    }
  })

  test('take the highest ids there can be as bounds', async () => {
    const { rudi, svea } = await world.cast('rudi', 'svea')
    await rudi.follows(svea)
    const said = (await saidLongAgo(world, svea, 30)).slice(0, 5)
    const list = await keepsList(rudi, [svea])
    const HIGHEST = '9223372036854775807'
    // Once without a guess of where the page ends, once with one.
    for (const time of [1, 2]) {
      const read = async (query: string) => {
        const { status, body } = await rudi.get(`/api/v1/timelines/list/${list}?limit=5&${query}`)
        return [time, status, idsOf(body)]
      }
      expect(await read(`max_id=${HIGHEST}`)).toEqual([time, 200, said])
      for (const query of [
        `since_id=${HIGHEST}`,
        `min_id=${HIGHEST}`,
        `max_id=${HIGHEST}&since_id=${HIGHEST}`,
        'max_id=0',
        'max_id=0&min_id=0',
      ]) {
        expect(await read(query), query).toEqual([time, 200, []])
      }
    }
  })

  test('of others are not there, regardless of what is asked of them', async () => {
    const { ivan, jule } = await world.cast('ivan', 'jule')
    await ivan.follows(jule)
    const list = await keepsList(ivan, [jule])
    const answers = []
    for (const id of [list, '999999', 'x']) answers.push(await jule.get(`/api/v1/timelines/list/${id}`))
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([404, '{"error":"Record not found"}']))
    expect((await world.get(`/api/v1/timelines/list/${list}`)).status).toBe(401)
  })

  test('are pushed live to their owners, by the rule of the page', async () => {
    const { kira, leon, mika } = await world.cast('kira', 'leon', 'mika')
    await kira.follows(leon)
    const list = await keepsList(kira, [leon], { replies_policy: 'none' })
    const listener = await kira.listens('list', { list })
    // What is asked after it is answered after it.
    listener.send({ type: 'subscribe', stream: 'nonsense' })
    await listener.hears((frame) => 'error' in frame)
    await replies(leon, await mika.says('elsewhere'))
    await leon.says('@kira direct', { visibility: 'direct' })
    const said = await leon.says('said', { visibility: 'private' })
    await world.idle()
    await leon.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'said better' } })
    await world.idle()
    await leon.asks('DELETE', `/api/v1/statuses/${said.id}`)
    await world.idle()
    await listener.hears(({ event }) => event === 'delete')
    const heard = listener.frames
      .slice(1)
      .map(({ stream, event, payload = '' }) => [stream, event, event === 'delete' ? payload : JSON.parse(payload).id])
    expect(heard).toEqual(['update', 'status.update', 'delete'].map((event) => [['list', list], event, said.id]))
    expect(JSON.parse(listener.frames[1]!.payload!)).toMatchObject({ favourited: false, account: { id: leon.id } })
    await listener.close()
  })
})
