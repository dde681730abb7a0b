import { callWithin } from '@rookery/rpc/call-within'
import { type Person, World } from '@rookery/test-world'
import { MOVE_PAGE, moves, names, returns } from '@rookery/test-world/moving'
import { browser, signIn } from '@rookery/test-world/page-browser'
import { holding, idsOf, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// From one account to another, and remembering who has died (beyond-the-spec 1.1, 1.16, 2.2).

let world: World
let old: Person
let next: Person
let friend: Person
let round = 0

beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

beforeEach(async () => {
  const names = [`old${++round}`, `next${round}`, `friend${round}`] as const
  const people = await world.cast(...names)
  ;[old, next, friend] = names.map((name) => people[name]!) as [Person, Person, Person]
})

/** Moves old to next; followers come along with `world.advance`. */
const leave = async () => {
  expect((await names(world, next, old.username)).text).toContain('It can move here now.')
  expect((await moves(world, old, `@${next.username}`)).text).toContain('You have moved.')
}

const accountOf = async (person: Person, reader: Pick<Person | World, 'get'> = world) =>
  (await reader.get(`/api/v1/accounts/${person.id}`)).body
const followersOf = async (person: Person) => idsOf((await world.get(`/api/v1/accounts/${person.id}/followers`)).body)

describe('who blocks or mutes someone who moves', () => {
  const relationTo = async (person: Person, other: Person) => (await person.get(`/api/v1/accounts/relationships?id=${other.id}`)).body[0]
  const acts = (person: Person, act: string, body: object = {}) => person.asks('POST', `/api/v1/accounts/${old.id}/${act}`, { body })

  test('does so to the new account too', async () => {
    const muter = await world.person(`muter${round}`)
    await acts(friend, 'block')
    await acts(muter, 'mute', { notifications: false, duration: 3600 })
    await leave()
    await world.advance(1000)
    expect(await relationTo(friend, next)).toMatchObject({ blocking: true })
    expect(await relationTo(muter, next)).toMatchObject({ muting: true, muting_notifications: false })
    await world.advance(3_700_000)
    expect(await relationTo(muter, next)).toMatchObject({ muting: false })
  })

  test('does not where they follow the new account', async () => {
    await friend.follows(next)
    await acts(friend, 'block')
    await leave()
    await world.advance(1000)
    expect(await relationTo(friend, next)).toMatchObject({ following: true, blocking: false })
  })

  test('keeps a mute of the new account as it is', async () => {
    await friend.asks('POST', `/api/v1/accounts/${next.id}/mute`, { body: { notifications: true } })
    await acts(friend, 'mute', { notifications: false })
    await leave()
    await world.advance(1000)
    expect(await relationTo(friend, next)).toMatchObject({ muting: true, muting_notifications: true })
  })
})

describe('who moved', () => {
  test('shows the other account, as it is then, in every view, and no one’s that moved on', async () => {
    const said = await old.says('tea')
    await friend.follows(old)
    await leave()
    await next.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Next of all' } })
    const moved = await accountOf(next)
    expect(moved).toMatchObject({ id: next.id, display_name: 'Next of all' })
    expect(moved).not.toHaveProperty('moved')
    expect((await accountOf(old)).moved).toEqual(moved)
    expect((await friend.get(`/api/v1/statuses/${said.id}`)).body.account.moved).toEqual(moved)
    expect((await world.get(`/api/v1/accounts/lookup?acct=${old.username}`)).body.moved).toEqual(moved)
    expect((await old.get('/api/v1/accounts/verify_credentials')).body).toMatchObject({ moved, source: { privacy: 'public' } })
    const [searched] = (await friend.get(`/api/v2/search?type=accounts&q=${old.username}`)).body.accounts
    expect(searched.moved).toEqual(moved)

    const last = await world.person(`last${round}`)
    await names(world, last, next.username)
    await moves(world, next, last.username)
    expect((await accountOf(old)).moved).toMatchObject({ id: next.id })
    expect((await accountOf(old)).moved).not.toHaveProperty('moved')
    expect((await accountOf(next)).moved).toMatchObject({ id: last.id })
  })

  test('costs one statement more to show, however many moved', async () => {
    const [also, third] = [await world.person(`also${round}`), await world.person(`third${round}`)]
    const page = `/api/v1/accounts?id[]=${old.id}&id[]=${also.id}&id[]=${third.id}`
    await world.get(page)
    await world.get(page)
    const { statements } = world.lastRequest
    await leave()
    for (const person of [also, third]) {
      await names(world, next, person.username)
      await moves(world, person, next.username)
    }
    await world.get(page)
    await world.get(page)
    expect(world.lastRequest.statements).toBe(statements + 1)
  })

  test('cannot post, schedule, boost or be followed again, and can again once the move is taken back', async () => {
    const theirs = await friend.says('tea')
    const scheduled = { status: 'later', scheduled_at: new Date(world.clock.now() + 3_600_000).toISOString() }
    await leave()
    const refused = { status: 403, body: { error: 'This action is not allowed' } }
    expect(await old.post('/api/v1/statuses', { status: 'tea' })).toMatchObject(refused)
    expect(await old.post('/api/v1/statuses', scheduled)).toMatchObject(refused)
    expect(await old.post(`/api/v1/statuses/${theirs.id}/reblog`)).toMatchObject(refused)
    expect(await friend.post(`/api/v1/accounts/${old.id}/follow`)).toMatchObject(refused)

    const page = await returns(world, old)
    expect(page.text).toContain('You are here again.')
    expect(await accountOf(old)).not.toHaveProperty('moved')
    await old.says('tea')
    await old.reacts('reblog', theirs)
    await friend.follows(old)
  })

  test('does not publish what was scheduled before, but keeps it', async () => {
    const kept = await old.says('later', { scheduled_at: new Date(world.clock.now() + 3_600_000).toISOString() })
    await leave()
    await world.advance(3_700_000)
    expect((await world.get(`/api/v1/accounts/${old.id}/statuses`)).body).toEqual([])
    expect((await old.get('/api/v1/scheduled_statuses')).body).toEqual([kept])
  })

  test('is neither suggested nor in the directory', async () => {
    await old.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { discoverable: true } })
    await old.says('tea')
    const between = await world.person(`between${round}`)
    await friend.follows(between)
    await between.follows(old)
    const suggested = async () => idsOf((await friend.get('/api/v1/suggestions')).body)
    const listed = async (order: string) => idsOf((await friend.get(`/api/v1/directory?order=${order}`)).body)
    const all = async () => [await suggested(), await listed('new'), await listed('active')].map((ids) => ids.includes(old.id))
    expect(await all()).toEqual([true, true, true])
    await leave()
    expect(await all()).toEqual([false, false, false])
  })
})

describe('followers of who moved', () => {
  test('follow the other account instead, as they wished and on the same lists, with exact counts', async () => {
    await friend.follows(old, { reblogs: false, notify: true, languages: ['de'] })
    const list = (await friend.post('/api/v1/lists', { title: 'Tea' })).body
    await friend.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [old.id] })
    const both = await world.person(`both${round}`)
    for (const person of [old, next]) await both.follows(person)
    const asked = await next.says('before')
    await next.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    await leave()
    await world.advance(0)

    expect(await followersOf(old)).toEqual([])
    expect(new Set(await followersOf(next))).toEqual(new Set([friend.id, both.id]))
    expect(await accountOf(old)).toMatchObject({ followers_count: 0 })
    expect(await accountOf(next)).toMatchObject({ followers_count: 2 })
    expect(await accountOf(friend)).toMatchObject({ following_count: 1 })
    expect(await accountOf(both)).toMatchObject({ following_count: 1 })
    const [relation] = (await friend.get(`/api/v1/accounts/relationships?id[]=${next.id}`)).body
    expect(relation).toMatchObject({ following: true, showing_reblogs: false, notifying: true, languages: ['de'] })
    expect(idsOf((await friend.get(`/api/v1/lists/${list.id}/accounts`)).body)).toEqual([next.id])
    expect(idsOf(await both.home())).toContain(asked.id)
  })

  test('stay where a block parts them from the other account, and asking to follow it becomes following', async () => {
    const [barred, asking] = [await world.person(`barred${round}`), await world.person(`asking${round}`)]
    await next.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
    for (const person of [barred, asking, next]) await person.follows(old)
    await asking.follows(next)
    await next.does('block', barred)
    await leave()
    await world.advance(0)
    expect(await followersOf(next)).toEqual([asking.id])
    expect(new Set(await followersOf(old))).toEqual(new Set([barred.id, next.id]))
    expect((await next.get('/api/v1/follow_requests')).body).toEqual([])
  })

  test('come along although the job is ended in their midst', async () => {
    const people = await Promise.all(['a', 'b', 'c'].map((name) => world.person(`${name}${round}`)))
    for (const person of people) await person.follows(old)
    // Otherwise what the follows make waits for the row too, and would be killed in the job's place.
    await world.idle()
    await leave()
    // The second follower's transaction waits for its row, until its connection is killed.
    const held = await holding(world)
    await held.query('select 1 from statuses.account where id = $1 for update', [people[1]!.id])
    const run = world.advance(0).catch(() => undefined)
    await untilSomeoneWaits(world)
    await held.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and usename = 'statuses' and wait_event_type = 'Lock'`,
    )
    await held.end()
    await run
    expect(await followersOf(next)).toEqual([people[0]!.id])
    await world.advance(3_600_000)
    expect(new Set(await followersOf(next))).toEqual(new Set(idsOf(people)))
  })

  test('come along to where the other account has moved on to meanwhile', async () => {
    const [asking, last] = [await world.person(`asking${round}`), await world.person(`last${round}`)]
    await asking.does('block', old)
    await friend.follows(old)
    await leave()
    // The followers of the second move are through before the first of the first one.
    const later = [JSON.stringify({ accountId: old.id }), `move-followers:${old.id}`, new Date(world.clock.now() + 60_000)]
    await world.query("select statuses_jobs.add_job('move-followers', payload := $1::json, job_key := $2, run_at := $3)", later)
    await names(world, last, next.username)
    await moves(world, next, last.username)
    await world.advance(0)
    await world.advance(60_000)
    expect([await followersOf(old), await followersOf(next), await followersOf(last)]).toEqual([[], [], [friend.id]])
    const [relation] = (await asking.get(`/api/v1/accounts/relationships?id[]=${last.id}`)).body
    expect(relation).toMatchObject({ blocking: true })
  })

  test('come no more once the move is taken back', async () => {
    await friend.follows(old)
    await leave()
    await returns(world, old)
    await world.advance(0)
    expect(await followersOf(old)).toEqual([friend.id])
    expect(await followersOf(next)).toEqual([])
  })
})

describe('the page of moves', () => {
  test('takes a handle that names the account, and says what is wrong with any other', async () => {
    const status = async (handle: string) => {
      const page = await moves(world, old, handle)
      return [page.status, /class="error"[^>]*>([^<]*)/.exec(page.text)?.[1]]
    }
    expect(await status('nobody')).toEqual([422, 'There is no such account, or its server does not answer.'])
    expect(await status(`${next.username}@elsewhere.example`)).toEqual([422, 'There is no such account, or its server does not answer.'])
    expect(await status(old.username)).toEqual([422, 'That is this account itself.'])
    expect((await status(next.username))[1]).toMatch(/^The other account has to name this one first/)
    await names(world, next, old.username)
    await names(world, friend, next.username)
    await moves(world, next, friend.username)
    expect(await status(next.username)).toEqual([422, 'The other account has moved itself.'])
    expect(await accountOf(old)).not.toHaveProperty('moved')
    expect((await names(world, old, old.username)).status).toBe(422)
  })

  test('wants the password, and shows where someone is', async () => {
    await names(world, next, old.username)
    expect(await moves(world, old, next.username, 'wrong')).toMatchObject({ status: 401 })
    expect(await accountOf(old)).not.toHaveProperty('moved')
    await moves(world, old, next.username)
    const visitor = await signIn(world, old)
    expect((await visitor.visit(MOVE_PAGE)).text).toContain(`has moved to @${next.username}`)
  })

  test('names at most ten, and takes a name back', async () => {
    const others = await Promise.all(Array.from({ length: 11 }, (_, index) => world.person(`other${round}x${index}`)))
    const visitor = await signIn(world, next)
    const add = async (person: Person) =>
      visitor.submit(await visitor.visit(MOVE_PAGE), { alias: person.username }, `${MOVE_PAGE}/aliases?`)
    for (const person of others.slice(0, 10)) expect((await add(person)).status).toBe(200)
    expect(await add(others[10]!)).toMatchObject({ status: 422 })
    const page = await visitor.visit(MOVE_PAGE)
    await visitor.submit(page, { alias_id: others[0]!.id }, `${MOVE_PAGE}/aliases/remove`)
    expect((await moves(world, others[0]!, next.username)).status).toBe(422)
    expect((await add(others[10]!)).status).toBe(200)
  })
})

describe('someone who has died', () => {
  const call = () => callWithin(30, 'memorial')
  const remember = (isMemorial = true) => world.operator().setMemorial(call(), { username: old.username, isMemorial })

  test('is remembered in every view, and no one uses or gets into the account', async () => {
    const said = await old.says('tea')
    await remember()
    expect(await accountOf(old)).toMatchObject({ memorial: true, username: old.username })
    expect((await friend.get(`/api/v1/statuses/${said.id}`)).body).toMatchObject({ content: '<p>tea</p>', account: { memorial: true } })
    const disabled = { status: 403, body: { error: 'Your login is currently disabled' } }
    expect(await old.get('/api/v1/accounts/verify_credentials')).toMatchObject(disabled)
    const visitor = browser(world)
    const credentials = { email: `${old.username}@example.org`, password: `${old.username}-password` }
    const page = await visitor.submit(await visitor.visit('/auth/sign_in'), credentials)
    expect(page.text).toContain('Your login is currently disabled')

    await remember(false)
    expect(await accountOf(old)).not.toHaveProperty('memorial')
    expect((await old.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
  })

  test('stays shut out by what else shuts them out', async () => {
    const operator = world.operator()
    await operator.setDisabled(call(), { username: old.username, isDisabled: true })
    await remember()
    await operator.setSuspended(call(), { username: old.username, isSuspended: true })
    const status = async () => (await old.get('/api/v1/accounts/verify_credentials')).status
    await operator.setSuspended(call(), { username: old.username, isSuspended: false })
    expect(await status()).toBe(403)
    await remember(false)
    expect(await status()).toBe(403)
    await operator.setDisabled(call(), { username: old.username, isDisabled: false })
    expect(await status()).toBe(200)
  })

  test('is neither suggested nor in the directory', async () => {
    await old.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { discoverable: true } })
    const directory = async () => idsOf((await friend.get('/api/v1/directory?order=new')).body).includes(old.id)
    expect(await directory()).toBe(true)
    await remember()
    expect(await directory()).toBe(false)
  })
})
