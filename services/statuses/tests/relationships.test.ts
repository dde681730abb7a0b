import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { idsOf, query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const relation = async (viewer: Person, other: Person) => (await viewer.get(`/api/v1/accounts/relationships?id[]=${other.id}`)).body[0]
const change = (person: Person, body: object) => person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })
const accountOf = async (person: Person) => (await world.get(`/api/v1/accounts/${person.id}`)).body

describe('relationships', () => {
  test('of 1 and of 40 cost the same', async () => {
    const { anna } = await world.cast('anna')
    const people = Object.values(await world.cast(...Array.from({ length: 40 }, (_, index) => `many${index}`)))
    const path = (count: number) =>
      `/api/v1/accounts/relationships?${people
        .slice(0, count)
        .map(({ id }) => `id[]=${id}`)
        .join('&')}`
    expect((await anna.get(path(1))).body).toHaveLength(1)
    expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
    expect(idsOf((await anna.get(path(40))).body)).toEqual(idsOf(people))
    expect(world.lastRequest).toEqual({ hops: 2, statements: 2 })
  })

  test('with an account that is named twice are shown once', async () => {
    const { asker, twice, again } = await world.cast('asker', 'twice', 'again')
    const path = `/api/v1/accounts/relationships?id[]=${twice.id}&id[]=${again.id}&id[]=${again.id}&id[]=${twice.id}`
    expect(idsOf((await asker.get(path)).body)).toEqual([twice.id, again.id])
  })

  test('with suspended accounts are shown on request', async () => {
    const { bert, gone } = await world.cast('bert', 'gone')
    await query(world, 'update statuses.account set is_suspended = true where id = $1', [gone.id])
    const path = `/api/v1/accounts/relationships?id=${gone.id}`
    expect((await bert.get(path)).body).toEqual([])
    expect((await bert.get(`${path}&with_suspended=false`)).body).toEqual([])
    expect(idsOf((await bert.get(`${path}&with_suspended=true`)).body)).toEqual([gone.id])
  })
})

describe('a follow', () => {
  test('of whom moderators silenced needs consent, and no one follows whom they suspended', async () => {
    const { quiet, loud, barred } = await world.cast('quiet', 'loud', 'barred')
    await query(world, 'update statuses.account set is_silenced = true where id = $1', [quiet.id])
    await query(world, 'update statuses.account set is_suspended = true where id = $1', [barred.id])
    expect(await quiet.follows(loud)).toMatchObject({ following: false, requested: true })
    expect(idsOf((await loud.get('/api/v1/follow_requests')).body)).toEqual([quiet.id])
    expect(await loud.follows(quiet)).toMatchObject({ following: true })
    expect((await loud.post(`/api/v1/follow_requests/${quiet.id}/authorize`)).body).toMatchObject({ followed_by: true })
    const refused = await loud.post(`/api/v1/accounts/${barred.id}/follow`)
    expect([refused.status, refused.text]).toEqual([404, '{"error":"Record not found"}'])
  })

  test.each(['x', 'english', 'xx'])('in the language %j is refused', async (language) => {
    const [one, other] = Object.values(await world.cast(`l${language}`, `m${language}`)) as [Person, Person]
    const answer = await one.post(`/api/v1/accounts/${other.id}/follow`, { languages: ['de', language] })
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation failed: Languages is invalid' }])
    expect(await relation(one, other)).toMatchObject({ following: false, requested: false })
  })

  test('in a language said twice is in it once', async () => {
    const { cleo, dirk } = await world.cast('cleo', 'dirk')
    expect(await cleo.follows(dirk, { languages: ['de', 'en', 'de'] })).toMatchObject({ languages: ['de', 'en'] })
  })
})

describe('a follower removed', () => {
  test('follows no more, is on no list of followers, and no one is blocked', async () => {
    const { emma, fred } = await world.cast('emma', 'fred')
    await emma.follows(fred)
    await fred.follows(emma)
    await world.idle()
    expect(await fred.does('remove_from_followers', emma)).toMatchObject({
      id: emma.id,
      following: true,
      followed_by: false,
      blocking: false,
    })
    expect(await relation(emma, fred)).toMatchObject({ following: false, followed_by: true })
    expect([await accountOf(emma), await accountOf(fred)]).toMatchObject([
      { following_count: 0, followers_count: 1 },
      { following_count: 1, followers_count: 0 },
    ])
    await fred.says('only for followers', { visibility: 'private' })
    await world.idle()
    expect(await emma.home()).toEqual([])
    expect(await fred.notifications()).toEqual([])
    expect(await fred.does('remove_from_followers', emma)).toMatchObject({ followed_by: false })
  })

  test('may be no one; who only asked keeps asking', async () => {
    const { gabi, hugo } = await world.cast('gabi', 'hugo')
    await change(gabi, { locked: true })
    await hugo.follows(gabi)
    expect(await gabi.does('remove_from_followers', hugo)).toMatchObject({ requested_by: true, followed_by: false })
    const missing = await gabi.post('/api/v1/accounts/1/remove_from_followers')
    expect([missing.status, missing.body]).toEqual([404, { error: 'Record not found' }])
  })
})

describe('a note', () => {
  test('is kept for its author, replaced, and taken away by an empty one', async () => {
    const { ida, jon } = await world.cast('ida', 'jon')
    expect(await ida.does('note', jon, { comment: 'met in <b>Bonn</b>' })).toMatchObject({ id: jon.id, note: 'met in <b>Bonn</b>' })
    expect(await relation(ida, jon)).toMatchObject({ note: 'met in <b>Bonn</b>' })
    expect(await relation(jon, ida)).toMatchObject({ note: '' })
    expect(await ida.does('note', jon, { comment: 'and in Cologne' })).toMatchObject({ note: 'and in Cologne' })
    expect(await ida.does('note', jon, { comment: '' })).toMatchObject({ note: '' })
    expect(await ida.does('note', jon)).toMatchObject({ note: '' })
    expect(await ida.does('note', ida, { comment: 'me' })).toMatchObject({ id: ida.id, note: 'me' })
  })

  test('is 2,000 characters at most', async () => {
    const { kim, lea } = await world.cast('kim', 'lea')
    const longest = '𝕏'.repeat(2000)
    expect(await kim.does('note', lea, { comment: longest })).toMatchObject({ note: longest })
    const answer = await kim.post(`/api/v1/accounts/${lea.id}/note`, { comment: `${longest}.` })
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation failed: Comment is too long (maximum is 2000 characters)' }])
    expect(await relation(kim, lea)).toMatchObject({ note: longest })
  })

  test('of no one is missing', async () => {
    const { max } = await world.cast('max')
    for (const id of ['1', 'x', '9'.repeat(25)]) {
      const answer = await max.post(`/api/v1/accounts/${id}/note`, { comment: 'hello' })
      expect([answer.status, answer.text]).toEqual([404, '{"error":"Record not found"}'])
    }
  })

  test('said 20 times at once is one', async () => {
    const { nils, olga } = await world.cast('nils', 'olga')
    await Promise.all(Array.from({ length: 20 }, (_, index) => nils.does('note', olga, { comment: index % 2 ? 'odd' : 'even' })))
    expect((await relation(nils, olga)).note).toMatch(/^(odd|even)$/)
    expect(await query(world, 'select 1 from statuses.account_note where account_id = $1', [nils.id])).toHaveLength(1)
  })
})

describe('familiar followers', () => {
  const familiar = async (viewer: Person, ...people: Person[]) =>
    (await viewer.get(`/api/v1/accounts/familiar_followers?${people.map(({ id }) => `id[]=${id}`).join('&')}`)).body.map(
      ({ id, accounts }: { id: string; accounts: { id: string }[] }) => [id, idsOf(accounts)],
    )

  test('are those the viewer follows, the latest to be followed first, without those who hide their follows; of someone who hides theirs there are none', async () => {
    const { pia, quinn, rosa, sven, tina } = await world.cast('pia', 'quinn', 'rosa', 'sven', 'tina')
    for (const followed of [quinn, rosa, sven]) await pia.follows(followed)
    for (const follower of [sven, quinn, rosa, pia]) await follower.follows(tina)
    await tina.follows(rosa)
    expect(await familiar(pia, tina, rosa, quinn)).toEqual([
      [tina.id, [sven.id, rosa.id, quinn.id]],
      [rosa.id, [tina.id]],
      [quinn.id, []],
    ])
    expect(await familiar(quinn, tina)).toEqual([[tina.id, []]])
    await change(rosa, { hide_collections: true })
    expect(await familiar(pia, tina)).toEqual([[tina.id, [sven.id, quinn.id]]])
    await change(tina, { hide_collections: true })
    expect(await familiar(pia, tina)).toEqual([[tina.id, []]])
    await change(tina, { hide_collections: false })
    expect(await familiar(pia, tina)).toEqual([[tina.id, [sven.id, quinn.id]]])
    await tina.does('block', pia)
    expect(await familiar(pia, tina)).toEqual([[tina.id, []]])
    expect((await pia.get(`/api/v1/accounts/familiar_followers?id[]=${tina.id}&id[]=1&id[]=x`)).body).toHaveLength(1)
    expect((await pia.get('/api/v1/accounts/familiar_followers')).body).toEqual([])
  })

  test('of a suspended account are left out with it, until the suspension ends', async () => {
    const { abel, beth, carl } = await world.cast('abel', 'beth', 'carl')
    await abel.follows(beth)
    await beth.follows(carl)
    const suspends = (isSuspended: boolean) => world.operator().setSuspended(innerCall(), { username: carl.username, isSuspended })
    await suspends(true)
    expect(await familiar(abel, carl, beth)).toEqual([[beth.id, []]])
    await suspends(false)
    expect(await familiar(abel, carl)).toEqual([[carl.id, [beth.id]]])
  })

  test('are whole accounts, and cost the same for 1 and for 10 people', async () => {
    const { ulf, vera } = await world.cast('ulf', 'vera')
    const people = Object.values(await world.cast(...Array.from({ length: 10 }, (_, index) => `known${index}`)))
    await ulf.follows(vera)
    for (const person of people) await vera.follows(person)
    const [{ accounts }] = (await ulf.get(`/api/v1/accounts/familiar_followers?id[]=${people[0]!.id}`)).body
    expect(accounts).toEqual([await accountOf(vera)])
    await familiar(ulf, people[0]!)
    expect(world.lastRequest).toEqual({ hops: 2, statements: 3 })
    expect(await familiar(ulf, ...people)).toEqual(people.map(({ id }) => [id, [vera.id]]))
    expect(world.lastRequest).toEqual({ hops: 2, statements: 3 })
  })
})

describe('several accounts', () => {
  test('are read at once; those that are unknown are left out', async () => {
    const { wim, xena } = await world.cast('wim', 'xena')
    const answer = await world.get(`/api/v1/accounts?id[]=${xena.id}&id[]=1&id[]=x&id[]=${wim.id}&id[]=${xena.id}`)
    expect(answer.body).toEqual([await accountOf(xena), await accountOf(wim)])
    await world.get(`/api/v1/accounts?id[]=${xena.id}&id[]=${wim.id}`)
    expect(world.lastRequest).toEqual({ hops: 1, statements: 1 })
    expect((await world.get('/api/v1/accounts')).body).toEqual([])
    expect(idsOf((await wim.get(`/api/v1/accounts?id=${xena.id}`)).body)).toEqual([xena.id])
  })

  test('with a suspended one show it blank, as it is shown alone', async () => {
    const { yves, zoe } = await world.cast('yves', 'zoe')
    await query(world, 'update statuses.account set is_suspended = true, version = version + 1 where id = $1', [zoe.id])
    const { body } = await world.get(`/api/v1/accounts?id[]=${yves.id}&id[]=${zoe.id}`)
    expect(idsOf(body)).toEqual([yves.id, zoe.id])
    expect(body[1]).toEqual((await world.get(`/api/v1/accounts/${zoe.id}`)).body)
    expect(body[1]).toMatchObject({ suspended: true, display_name: '' })
  })

  test('are 40 at most', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `id[]=${index + 1}`).join('&')
    expect((await world.get(`/api/v1/accounts?${ids(40)}`)).status).toBe(200)
    const answer = await world.get(`/api/v1/accounts?${ids(41)}`)
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation failed: No more than 40 accounts can be asked for at once' }])
  })
})
