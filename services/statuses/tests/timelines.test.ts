import { type Person, World } from '@rookery/test-world'
import { idsOf, linksOf, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const withPicture = async (person: Person, more: object = {}) => {
  const form = new FormData()
  form.set('file', new File([PICTURE], 'dot.png', { type: 'image/png' }))
  const file = (await person.asks('POST', '/api/v2/media', { body: form })).body.id
  return person.says('picture', { media_ids: [file], ...more })
}
const ids = async (reader: Pick<Person | World, 'get'>, path: string) => idsOf((await reader.get(path)).body)
const homeOf = async (person: Person) => {
  await world.idle()
  return idsOf(await person.home('?limit=40'))
}

describe('home', () => {
  test('holds one’s own posts and those of people followed, by the rules', async () => {
    const { vera, anna, bert, carl } = await world.cast('vera', 'anna', 'bert', 'carl')
    await vera.follows(anna, { languages: ['de'] })
    await vera.follows(bert, { reblogs: false })
    await vera.does('block', carl)
    const shown: { id: string }[] = []
    const keep = async (said: Promise<{ id: string }>) => void shown.unshift(await said)
    await keep(vera.says('ask me'))
    await keep(vera.says('@carl to myself', { visibility: 'direct' }))
    await keep(anna.says('deutsch', { language: 'de' }))
    await anna.says('english', { language: 'en' })
    const asked = await bert.says('asked', { language: 'en' })
    shown.unshift(asked)
    await keep(bert.says('to myself', { in_reply_to_id: asked.id }))
    await keep(bert.says('to you', { in_reply_to_id: shown.at(-1)!.id }))
    const elsewhere = await carl.says('elsewhere')
    await bert.says('to a stranger', { in_reply_to_id: elsewhere.id })
    await bert.says('about @carl')
    await bert.reacts('reblog', asked)
    await anna.reacts('reblog', elsewhere)
    await anna.reacts('reblog', await bert.says('with @carl again', { visibility: 'unlisted' }))
    await keep(bert.says('for followers', { visibility: 'private' }))
    await bert.says('psst', { visibility: 'direct' })
    await keep(bert.says('@vera psst', { visibility: 'direct' }))
    expect(await homeOf(vera)).toEqual(idsOf(shown))
  })

  test('is read forth and back without gaps', async () => {
    const { dora } = await world.cast('dora')
    const said: { id: string }[] = []
    for (let index = 0; index < 9; index++) said.unshift(await dora.says(`${index}`))
    const all = idsOf(said)
    const home = '/api/v1/timelines/home'
    expect((await walk(dora, `${home}?limit=4`)).map(idsOf)).toEqual([all.slice(0, 4), all.slice(4, 8), all.slice(8)])
    expect((await walk(dora, `${home}?limit=4&min_id=${all[8]}`, 'prev')).map(idsOf)).toEqual([all.slice(4, 8), all.slice(0, 4)])
    expect(await ids(dora, `${home}?limit=3&since_id=${all[6]}`)).toEqual(all.slice(0, 3))
    expect(await ids(dora, `${home}?limit=3&min_id=${all[6]}`)).toEqual(all.slice(3, 6))
    expect(await ids(dora, `${home}?max_id=${all[2]}&min_id=${all[7]}`)).toEqual(all.slice(3, 7))
    expect(await ids(dora, `${home}?max_id=${all[2]}&since_id=${all[5]}`)).toEqual(all.slice(3, 5))
    expect(await ids(dora, `${home}?limit=999`)).toEqual(all)
    const none = await dora.get(`${home}?limit=0`)
    expect([none.body, linksOf(none)]).toEqual([[], {}])
  })

  test('reads on behind what is hidden, in both directions', async () => {
    const { elsa, finn, gwen } = await world.cast('elsa', 'finn', 'gwen')
    for (const other of [finn, gwen]) await elsa.follows(other)
    const before = await finn.says('before')
    for (let index = 0; index < 30; index++) await gwen.says('noise')
    const after = await finn.says('after')
    await world.idle()
    await gwen.does('block', elsa)
    // Asked before the home was cleared: the rows are still there.
    expect(await ids(elsa, '/api/v1/timelines/home?limit=2')).toEqual(idsOf([after, before]))
    expect(await ids(elsa, `/api/v1/timelines/public?limit=2`)).toEqual(idsOf([after, before]))
    expect(await ids(elsa, `/api/v1/timelines/public?limit=1&min_id=${before.id}`)).toEqual([after.id])
  })
})

describe('public', () => {
  test('holds public posts only: no boosts, no replies to others, nothing of whom a block or mute stands against', async () => {
    const { hana, igor, judy, kilo } = await world.cast('hana', 'igor', 'judy', 'kilo')
    const open = await hana.says('open')
    for (const visibility of ['unlisted', 'private', 'direct']) await hana.says(visibility, { visibility })
    const own = await hana.says('own reply', { in_reply_to_id: open.id })
    await igor.says('reply', { in_reply_to_id: open.id })
    await igor.reacts('reblog', open)
    const file = await withPicture(igor)
    const path = '/api/v1/timelines/public?limit=3'
    expect(await ids(world, path)).toEqual(idsOf([file, own, open]))
    expect(await ids(world, `${path}&local=true`)).toEqual(idsOf([file, own, open]))
    expect(await ids(world, `${path}&remote=true`)).toEqual([])
    expect(await ids(world, `${path}&local=true&remote=true`)).toEqual(idsOf([file, own, open]))
    expect((await ids(world, '/api/v1/timelines/public?only_media=true'))[0]).toBe(file.id)
    await judy.does('mute', hana)
    await judy.does('block', igor)
    await hana.does('block', kilo)
    for (const id of idsOf([file, own, open])) expect(await ids(judy, '/api/v1/timelines/public?limit=40')).not.toContain(id)
    expect((await ids(kilo, path))[0]).toBe(file.id)
    expect(await ids(kilo, path)).not.toContain(open.id)
  })
})

describe('tags', () => {
  test('any, all and none of them; replies too; 404 for a tag no one used', async () => {
    const { lara, milo } = await world.cast('lara', 'milo')
    const tea = await lara.says('#tea')
    const both = await milo.says('#Tea #cake', { in_reply_to_id: tea.id })
    const cake = await lara.says('#cake')
    const pie = await withPicture(milo, { status: '#pie #tea' })
    await lara.says('#tea', { visibility: 'unlisted' })
    const path = '/api/v1/timelines/tag/tea'
    expect(await ids(world, path)).toEqual(idsOf([pie, both, tea]))
    expect(await ids(world, `${path}?any[]=cake`)).toEqual(idsOf([pie, cake, both, tea]))
    expect(await ids(world, `${path}?all[]=CAKE`)).toEqual([both.id])
    expect(await ids(world, `${path}?none[]=cake&none[]=pie`)).toEqual([tea.id])
    for (const typed of [':tea', '%23Tea', 'tea%20', 'te-a'])
      expect(await ids(world, `/api/v1/timelines/tag/${typed}`)).toEqual(idsOf([pie, both, tea]))
    expect(await ids(world, `${path}?all[]=:cake`)).toEqual([both.id])
    expect(await ids(world, `${path}?only_media=true`)).toEqual([pie.id])
    expect(await ids(world, `${path}?remote=true`)).toEqual([])
    expect((await walk(world, `${path}?limit=2`)).map(idsOf)).toEqual([idsOf([pie, both]), [tea.id]])
    expect(await ids(world, `${path}?limit=1&min_id=${tea.id}`)).toEqual([both.id])
    const unknown = await world.get('/api/v1/timelines/tag/nobodyusedthis')
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Record not found' }])
    const only = await lara.says('#onlyonce')
    await lara.asks('DELETE', `/api/v1/statuses/${only.id}`)
    expect(await ids(world, '/api/v1/timelines/tag/onlyonce')).toEqual([])
    await milo.does('block', lara)
    expect(await ids(milo, path)).toEqual(idsOf([pie, both]))
  })
})

describe('an account’s posts', () => {
  test('name in their links nothing that the reader may not see', async () => {
    const { rosa } = await world.cast('rosa')
    const open = await rosa.says('for everyone')
    await rosa.says('for followers', { visibility: 'private' })
    const { prev } = linksOf(await world.get(`/api/v1/accounts/${rosa.id}/statuses?limit=1`))
    expect(new URL(prev ?? '').searchParams.get('min_id')).toBe(open.id)
  })

  test('leave out boosts of those whom the reader blocks or mutes, and nothing else of a muted person', async () => {
    const { host, guest, reader } = await world.cast('host', 'guest', 'reader')
    const said = await host.says('mine')
    const original = await guest.says('theirs')
    const boost = await host.reacts('reblog', original)
    const path = `/api/v1/accounts/${host.id}/statuses`
    for (const [act, end] of [
      ['mute', 'unmute'],
      ['block', 'unblock'],
    ] as const) {
      await reader.does(act, guest)
      expect(await ids(reader, path)).toEqual([said.id])
      expect(await ids(reader, `${path}?limit=1`)).toEqual([said.id])
      expect((await reader.get(`/api/v1/statuses/${boost.id}`)).status).toBe(200)
      await reader.does(end, guest)
      expect(await ids(reader, path)).toEqual(idsOf([boost, said]))
    }
    await reader.does('mute', host)
    expect(await ids(reader, path)).toEqual(idsOf([boost, said]))
    await host.does('mute', guest)
    expect(await ids(host, path)).toEqual(idsOf([boost, said]))
  })

  test('by its filters', async () => {
    const { nina, oleg } = await world.cast('nina', 'oleg')
    const first = await nina.says('#first')
    const own = await nina.says('own', { in_reply_to_id: first.id })
    const other = await oleg.says('#first other')
    const reply = await nina.says('reply', { in_reply_to_id: other.id })
    const boost = await nina.reacts('reblog', other)
    const file = await withPicture(nina)
    const followers = await nina.says('followers', { visibility: 'private' })
    const path = `/api/v1/accounts/${nina.id}/statuses`
    expect(await ids(world, path)).toEqual(idsOf([file, boost, reply, own, first]))
    expect(await ids(nina, path)).toEqual(idsOf([followers, file, boost, reply, own, first]))
    expect(await ids(world, `${path}?exclude_replies=true`)).toEqual(idsOf([file, boost, own, first]))
    expect(await ids(world, `${path}?exclude_reblogs=1`)).toEqual(idsOf([file, reply, own, first]))
    expect(await ids(world, `${path}?only_media=true`)).toEqual([file.id])
    expect(await ids(world, `${path}?tagged=First`)).toEqual([first.id])
    expect(await ids(world, `${path}?tagged=First%20`)).toEqual([first.id])
    expect((await walk(world, `${path}?limit=2`)).map(idsOf)).toEqual([idsOf([file, boost]), idsOf([reply, own]), [first.id]])
    await oleg.follows(nina)
    expect((await ids(oleg, path))[0]).toBe(followers.id)
    await nina.does('block', oleg)
    expect(await ids(oleg, path)).toEqual([])
    expect((await world.get('/api/v1/accounts/1/statuses')).status).toBe(404)
    expect((await world.get('/api/v1/accounts/x/statuses')).status).toBe(404)
  })
})
