import { callWithin } from '@rookery/rpc/call-within'
import { type Frame, type Person, World } from '@rookery/test-world'
import { signIn } from '@rookery/test-world/page-browser'
import { holding, idsOf, query, runJob } from '@rookery/test-world/queries'
import { multipart, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Deleting an account deletes everything of it, and nothing of others.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const PIXEL = {
  name: 'file',
  value: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
  file: 'pixel.png',
  type: 'image/png',
}

/** Deletes an account as its owner does, without waiting for the background work. */
const leave = async (person: Person) => {
  const visitor = await signIn(world, person)
  const page = await visitor.visit('/auth/account/delete')
  return visitor.submit(page, { current_password: `${person.username}-password` })
}

/** The rows in all tables of statuses that still refer to an account. */
const tracesOf = async (accountId: string): Promise<Record<string, number>> => {
  const columns = await query(
    world,
    `select table_schema || '.' || table_name as name, string_agg(format('%I::text = %L', column_name, $1::text), ' or ') as fits
     from information_schema.columns
     where table_schema in ('statuses', 'notifications', 'media') and data_type = 'bigint'
       and (column_name in ('account_id', 'author_id', 'owner_id', 'target_id', 'recipient_id', 'actor_id') or (table_name = 'account' and column_name = 'id'))
     group by 1`,
    [accountId],
  )
  const traces: Record<string, number> = {}
  for (const { name, fits } of columns) {
    const [row] = await query(world, `select count(*)::int from ${name} where ${fits}`)
    if (row.count > 0) traces[name] = row.count
  }
  return traces
}

const accountOf = async (person: Person) => (await world.get(`/api/v1/accounts/${person.id}`)).body

describe('someone who deletes their account', () => {
  test('is gone for everyone at once, and all they said and did soon after', async () => {
    const { mara, joel, nadia } = await world.cast('mara', 'joel', 'nadia')
    await joel.follows(mara)
    await mara.follows(joel)
    await nadia.follows(mara)
    const joels = await joel.says('tea for @mara')
    const picture = await send(world.origin, { method: 'POST', path: '/api/v2/media', token: mara.token, ...multipart([PIXEL]) })
    const said = await mara.says('tea is ready #tea', { media_ids: [picture.body.id] })
    const reply = await mara.says('thank you @joel', { in_reply_to_id: joels.id })
    await mara.reacts('favourite', joels)
    await mara.reacts('reblog', joels)
    await mara.reacts('bookmark', joels)
    await joel.reacts('favourite', said)
    await joel.reacts('reblog', said)
    await mara.does('mute', nadia)
    await world.idle()
    expect((await joel.home()).map(({ id }) => id)).toContain(said.id)
    const streams = await Promise.all([joel.listens('user'), mara.listens('user')])

    expect((await leave(mara)).text).toContain('Your account is deleted')
    await streams[1].closed
    expect(await mara.get('/api/v1/accounts/verify_credentials')).toMatchObject({ status: 401 })
    for (const path of [
      `/api/v1/accounts/${mara.id}`,
      '/api/v1/accounts/lookup?acct=mara',
      `/api/v1/accounts/${mara.id}/statuses`,
      `/api/v1/accounts/${mara.id}/followers`,
      `/api/v1/accounts/${mara.id}/featured_tags`,
      `/api/v1/accounts/${mara.id}/endorsements`,
      `/api/v1/statuses/${said.id}`,
      `/api/v1/statuses/${reply.id}`,
    ]) {
      const answer = await world.get(path)
      expect({ path, status: answer.status, text: answer.text }).toEqual({ path, status: 404, text: '{"error":"Record not found"}' })
    }
    expect((await world.get(`/api/v1/accounts/${joel.id}/followers`)).body).toEqual([])
    expect(await joel.post(`/api/v1/accounts/${mara.id}/follow`)).toMatchObject({ status: 404 })
    expect((await joel.home()).map(({ id }) => id)).not.toContain(said.id)

    // Once for the closed account, once for the files that follow.
    await world.advance(0)
    expect((await world.get(new URL(picture.body.url).pathname)).status).toBe(404)
    const deleted = await streams[0].hears(({ event, payload }) => event === 'delete' && payload === said.id)
    expect(deleted.stream).toEqual(['user'])
    // The minutely job updates the counts, and deletes its queue.
    await runJob(world, 'update-trends')
    expect(await tracesOf(mara.id)).toEqual({})
    expect(await accountOf(joel)).toMatchObject({ followers_count: 0, following_count: 0, statuses_count: 1 })
    expect(await accountOf(nadia)).toMatchObject({ following_count: 0 })
    const left = (await world.get(`/api/v1/statuses/${joels.id}`)).body
    expect(left).toMatchObject({ favourites_count: 0, reblogs_count: 0, replies_count: 0, mentions: [] })
    expect((await joel.notifications()).filter(({ account }) => account.id === mara.id)).toEqual([])
    expect((await joel.home()).map(({ id }) => id)).toEqual([joels.id])
    await streams[0].close()
  })

  test('leaves conversations in which no one else is left to their owners, who are shown alone', async () => {
    const { hugo, petra, otto } = await world.cast('hugo', 'petra', 'otto')
    const both = await petra.says('tea, @hugo and @otto?', { visibility: 'direct' })
    const alone = await petra.says('tea, @hugo?', { visibility: 'direct' })
    await world.idle()
    const others = async () => {
      const { body } = await petra.get('/api/v1/conversations')
      return body.map(({ last_status, accounts }: Json) => [last_status.id, accounts.map(({ id }: Json) => id)])
    }
    await leave(hugo)
    const shown = [
      [alone.id, [petra.id]],
      [both.id, [otto.id]],
    ]
    expect(await others()).toEqual(shown)
    await world.advance(0)
    expect(await others()).toEqual(shown)
  })

  test('leaves the replies to them, which then name neither their status nor them', async () => {
    const { selma, rolf } = await world.cast('selma', 'rolf')
    const said = await selma.says('tea?')
    const { id } = await rolf.says('please', { in_reply_to_id: said.id })
    const reply = async () => (await world.get(`/api/v1/statuses/${id}`)).body
    expect(await reply()).toMatchObject({ in_reply_to_id: said.id, in_reply_to_account_id: selma.id })
    await leave(selma)
    await world.advance(0)
    expect(await reply()).toMatchObject({ content: '<p>please</p>', in_reply_to_id: null, in_reply_to_account_id: null })
  })

  test('has WebFinger say for good that they are gone, where it knows nothing of names no one had', async () => {
    const { yara } = await world.cast('yara')
    const finger = async (name: string) => {
      const { status, text } = await world.get(`/.well-known/webfinger?resource=acct:${name}@${new URL(world.origin).host}`)
      return `${status} ${text}`
    }
    await leave(yara)
    await world.advance(0)
    expect([await finger('yara'), await finger('YARA'), await finger('no_one')]).toEqual([
      '410 {"error":"Gone"}',
      '410 {"error":"Gone"}',
      '404 {"error":"Record not found"}',
    ])
    expect((await world.get('/api/v1/accounts/lookup?acct=yara')).status).toBe(404)
  })

  test('takes each reply, quote and boost out of the counts of others, and the boosts of others with what they boost', async () => {
    const { tilda, ugo } = await world.cast('tilda', 'ugo')
    const [quiet, loud] = [await ugo.says('quiet'), await ugo.says('loud')]
    await Promise.all([1, 2, 3].map((number) => tilda.says(`reply ${number}`, { in_reply_to_id: loud.id })))
    await Promise.all([1, 2].map((number) => tilda.says(`quote ${number}`, { quoted_status_id: loud.id })))
    await tilda.reacts('reblog', loud)
    await tilda.reacts('reblog', quiet)
    // More than fit in one transaction.
    const many = await Promise.all(Array.from({ length: 60 }, (_, number) => tilda.says(`thought ${number}`)))
    await ugo.reacts('reblog', many[0]!)
    await ugo.reacts('reblog', many[59]!)
    await world.idle()
    const countsOf = async ({ id }: { id: string }) => (await world.get(`/api/v1/statuses/${id}`)).body
    expect(await countsOf(loud)).toMatchObject({ replies_count: 3, quotes_count: 2, reblogs_count: 1 })
    expect(await accountOf(ugo)).toMatchObject({ statuses_count: 4 })

    await leave(tilda)
    await world.advance(0)
    await runJob(world, 'update-trends')
    expect(await tracesOf(tilda.id)).toEqual({})
    expect(await countsOf(loud)).toMatchObject({ replies_count: 0, quotes_count: 0, reblogs_count: 0 })
    expect(await countsOf(quiet)).toMatchObject({ reblogs_count: 0 })
    expect(await accountOf(ugo)).toMatchObject({ statuses_count: 2 })
    expect((await ugo.home()).map(({ id }) => id)).toEqual([loud.id, quiet.id])
  })

  test('leaves a username that no one gets again, and an address that anyone may have', async () => {
    const pavel = await world.person('pavel')
    await leave(pavel)
    const call = callWithin(30, 'test')
    const account = {
      username: 'PAVEL',
      email: 'pavel@example.org',
      role: 'user',
      password: 'a password',
      confirmed: true,
      tokenScopes: '',
    }
    const taken = { kind: 'invalid', message: 'Validation failed: Username has already been taken' }
    await expect(world.operator().createAccount(call, account)).rejects.toMatchObject(taken)
    await world.advance(0)
    await expect(world.operator().createAccount(call, account)).rejects.toMatchObject(taken)
    expect(await world.operator().createAccount(call, { ...account, username: 'pavel_again' })).toMatchObject({
      login: { email: 'pavel@example.org' },
    })
  })

  test('needs the password', async () => {
    const odile = await world.person('odile')
    const visitor = await signIn(world, odile)
    const page = await visitor.visit('/auth/account/delete')
    const answer = await visitor.submit(page, { current_password: 'wrong' })
    expect(answer).toMatchObject({ status: 401, text: expect.stringContaining('not your password') })
    await world.advance(0)
    expect((await odile.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
  })
})

test('a removal leaves homes, lists and streams of followers as they should be, however late its events are handled', async () => {
  const { vera, yann, zita, wim } = await world.cast('vera', 'yann', 'zita', 'wim')
  for (const other of [yann, zita]) await wim.follows(other)
  await vera.says('before')
  const { id: list } = (await wim.post('/api/v1/lists', { title: 'list' })).body
  await wim.follows(vera)
  await wim.post(`/api/v1/lists/${list}/accounts`, { account_ids: [vera.id] })
  await world.idle()
  const original = await zita.says('tea', { visibility: 'unlisted' })
  // Some eighty others came between.
  await Promise.all(Array.from({ length: 81 }, (_, number) => yann.says(`number ${number}`)))
  const said = await vera.says('tea is ready')
  const shared = await vera.reacts('reblog', original)
  const again = await yann.reacts('reblog', original)
  await world.idle()
  const [latest, second, third] = idsOf(await wim.home())
  expect([latest, second]).toEqual([shared.id, said.id])
  const [home, listed] = [await wim.listens('user'), await wim.listens('list', { list })]
  const isGone = ({ event, payload }: Frame) => event === 'delete' && payload === shared.id

  const events = await holding(world)
  await events.query("select pg_advisory_xact_lock(4717, hashtext('statuses'))")
  await leave(vera)
  await world.rookery.runJobs()
  await events.end()
  await home.hears(isGone)
  await world.advance(0)
  expect(idsOf(await wim.home()).slice(0, 2)).toEqual([again.id, third])
  const stored = await query(world, 'select status_id id from statuses.feed where account_id = $1', [wim.id])
  const existing = (await query(world, 'select id from statuses.status_head')).map(({ id }) => id)
  expect(idsOf(stored).filter((id) => !existing.includes(id))).toEqual([])
  await runJob(world, 'update-trends')
  expect(await tracesOf(vera.id)).toEqual({})
  await listed.hears(isGone)
  for (const stream of [home, listed]) await stream.close()
})

describe('a removal that stops half-way', () => {
  test('goes on where it was, with every count right and nothing said twice', async () => {
    const { rosa, sami } = await world.cast('rosa', 'sami')
    await sami.follows(rosa)
    await rosa.follows(sami)
    const said = await Promise.all([1, 2, 3].map((number) => rosa.says(`post ${number}`)))
    const samis = await sami.says('hello')
    await rosa.reacts('favourite', samis)
    await world.idle()
    const stream = await sami.listens('user')
    // As if the process died during the follows: earlier work is done, and the job is not locked.
    await query(world, `create function statuses.stop() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$`)
    await query(world, 'create trigger stop before delete on statuses.follow execute function statuses.stop()')
    await leave(rosa)
    await world.advance(0)
    await query(world, `delete from statuses_jobs._private_jobs`)
    expect(await tracesOf(rosa.id)).toMatchObject({ 'statuses.account': 1, 'statuses.follow': 2 })
    expect(await tracesOf(rosa.id)).not.toHaveProperty('statuses.status_head')

    await query(world, 'drop trigger stop on statuses.follow')
    await runJob(world, 'remove-closed-accounts')
    await runJob(world, 'update-trends')
    expect(await tracesOf(rosa.id)).toEqual({})
    expect(await accountOf(sami)).toMatchObject({ followers_count: 0, following_count: 0 })
    expect((await world.get(`/api/v1/statuses/${samis.id}`)).body.favourites_count).toBe(0)
    const gone = stream.frames.filter(({ event }) => event === 'delete').map(({ payload }) => payload)
    expect(gone.sort()).toEqual(said.map(({ id }) => id).sort())
    await stream.close()
  })
})
