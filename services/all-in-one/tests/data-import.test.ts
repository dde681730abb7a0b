import { type Person, World } from '@rookery/test-world'
import { signIn } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Imports of files from other servers, line by line, by the rules of the API.

let world: World
let mara: Person
let joel: Person
let nadia: Person
let pavel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel, nadia, pavel } = await world.cast('mara', 'joel', 'nadia', 'pavel'))
})
afterAll(() => world.close())

const host = () => new URL(world.origin).host

/** Uploads a file with the page's form, without waiting for the background work. */
const send = async (person: Person, kind: string, text: string, mode = 'merge') => {
  const visitor = await signIn(world, person)
  const page = await visitor.visit('/auth/account/data')
  const form = new FormData()
  form.set('form_token', /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '')
  form.set('kind', kind)
  form.set('mode', mode)
  form.set('file', new Blob([text], { type: 'text/csv' }), 'file.csv')
  return { visitor, answer: await visitor.go('/auth/account/data', { method: 'POST', body: form }) }
}

/** Imports a file, and returns the shown progress and the failed lines. */
const readIn = async (person: Person, kind: string, text: string, mode = 'merge') => {
  const { visitor, answer } = await send(person, kind, text, mode)
  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('The file is being read in.') })
  await world.advance(0)
  const page = (await visitor.visit('/auth/account/data')).text
  const failures = /href="([^"]+failures\.csv)"/.exec(page)?.[1]
  return { state: /<span>(\d+ of \d+ lines[^<]*)</.exec(page)?.[1], failures: failures ? (await visitor.go(failures)).text : '' }
}

const following = async (person: Person): Promise<string[]> =>
  (await world.get(`/api/v1/accounts/${person.id}/following`)).body.map(({ username }: { username: string }) => username).sort()

describe('a file read in', () => {
  test('follows with its options; unknown entries are reported line by line', async () => {
    const text = `Account address,Show boosts,Notify on new posts,Languages\njoel@${host()},false,true,"de, en"\nnobody@${host()}\nsomebody@elsewhere.example,true\nNADIA@${host()}\nmara@${host()}\n`
    expect(await readIn(mara, 'following', text)).toEqual({
      state: '2 of 5 lines',
      failures: `3,unknown,nobody@${host()}\n4,unknown,somebody@elsewhere.example,true\n6,refused,mara@${host()}\n`,
    })
    expect(await following(mara)).toEqual(['joel', 'nadia'])
    const relationships = (await mara.get(`/api/v1/accounts/relationships?id[]=${joel.id}`)).body
    expect(relationships[0]).toMatchObject({ following: true, showing_reblogs: false, notifying: true, languages: ['de', 'en'] })
  })

  test('replaces what there is when that is asked for, and only then', async () => {
    await readIn(mara, 'following', `pavel@${host()}\n`)
    expect(await following(mara)).toEqual(['joel', 'nadia', 'pavel'])
    await readIn(mara, 'following', `pavel@${host()}\n`, 'overwrite')
    expect(await following(mara)).toEqual(['pavel'])
  })

  test('blocks, mutes, lists, bookmarks and blocks servers', async () => {
    const said = await nadia.says('hello')
    await readIn(pavel, 'blocks', `joel@${host()}\n`)
    await readIn(pavel, 'mutes', `Account address,Hide notifications\nmara@${host()},false\n`)
    await pavel.follows(nadia)
    expect(
      await readIn(pavel, 'lists', `"Tea, and cake",nadia@${host()}\n"Tea, and cake",nadia@${host()}\nTea,mara@${host()}\n`),
    ).toMatchObject({
      state: '2 of 3 lines',
    })
    expect(await readIn(pavel, 'bookmarks', `${said.uri}\nhttps://elsewhere.example/1\n`)).toMatchObject({ state: '1 of 2 lines' })
    await readIn(pavel, 'domain_blocks', '#domain\nbad.example\n')
    const relationships = (await pavel.get(`/api/v1/accounts/relationships?id[]=${joel.id}&id[]=${mara.id}`)).body
    expect(relationships).toMatchObject([{ blocking: true }, { muting: true, muting_notifications: false }])
    const lists = (await pavel.get('/api/v1/lists')).body
    expect(lists.map(({ title }: { title: string }) => title).sort()).toEqual(['Tea', 'Tea, and cake'])
    expect((await pavel.get('/api/v1/bookmarks')).body.map(({ id }: { id: string }) => id)).toEqual([said.id])
    expect((await pavel.get('/api/v1/domain_blocks')).body).toEqual(['bad.example'])
  })

  test('goes on where it was after a kill', async () => {
    const { sami } = await world.cast('sami')
    // As if the process died during the second line: the result of the first is stored, and the job is not locked.
    await query(world, `create function auth.stop() returns trigger language plpgsql as $$ begin raise 'stopped'; end $$`)
    await query(
      world,
      `create trigger stop before update on auth.import_line for each row when (old.line = 2) execute function auth.stop()`,
    )
    await send(sami, 'following', `joel@${host()}\nnadia@${host()}\npavel@${host()}\n`)
    await world.advance(0)
    await query(world, 'delete from auth_jobs._private_jobs')
    expect(
      await query(world, `select outcome from auth.import_line where import_id = (select max(id) from auth.import) order by line`),
    ).toEqual([{ outcome: 'done' }, { outcome: null }, { outcome: null }])
    await query(world, 'drop trigger stop on auth.import_line')
    await query(world, `select auth_jobs.add_job('run-imports')`)
    await world.advance(0)
    expect(await following(sami)).toEqual(['joel', 'nadia', 'pavel'])
    expect((await world.get(`/api/v1/accounts/${nadia.id}`)).body.followers_count).toBe(
      (await world.get(`/api/v1/accounts/${nadia.id}/followers`)).body.length,
    )
  })
})

test('a person’s file waits for no one else’s', async () => {
  const { tara, uma } = await world.cast('tara', 'uma')
  // The number of tara's lines that are pending when uma's file is done.
  await query(world, 'create table left_over (account_id bigint, lines int)')
  await query(
    world,
    `create function note() returns trigger language plpgsql security definer as $$ begin
       insert into public.left_over select new.account_id, count(*) from auth.import_line where outcome is null; return new; end $$`,
  )
  await query(
    world,
    'create trigger note before update on auth.import for each row when (new.finished_at is not null) execute function note()',
  )
  await send(tara, 'domain_blocks', Array.from({ length: 120 }, (_, index) => `d${index}.example\n`).join(''))
  await send(uma, 'domain_blocks', 'only.example\n')
  await world.advance(0)
  await query(world, 'drop trigger note on auth.import')
  const rows = await query(world, 'select account_id::text id, lines from left_over order by lines')
  expect(rows).toEqual([
    { id: tara.id, lines: 0 },
    { id: uma.id, lines: expect.any(Number) },
  ])
  expect(rows[1].lines).toBeGreaterThan(0)
  expect((await tara.get('/api/v1/domain_blocks?limit=200')).body).toHaveLength(120)
})

describe('a file of another kind or order', () => {
  test('is refused, and replaces nothing', async () => {
    const { vera } = await world.cast('vera')
    await vera.follows(joel)
    for (const [kind, text] of [
      ['blocks', `Account address,Show boosts,Notify on new posts,Languages\nnadia@${host()},true,false,\n`],
      ['following', `Account address,Hide notifications\nnadia@${host()},true\n`],
      ['following', `List name,Account address\nFriends,nadia@${host()}\n`],
      ['following', `Friends,nadia@${host()}\n`],
      ['following', 'bad.example\nworse.example\n'],
      ['domain_blocks', `nadia@${host()}\n`],
      ['lists', `nadia@${host()}\n`],
      ['bookmarks', '#domain,#severity\nbad.example,suspend\n'],
    ] as const) {
      const { answer } = await send(vera, kind, text, 'overwrite')
      expect(answer, text).toMatchObject({ status: 422, text: expect.stringContaining('This file does not hold that.') })
      expect(answer.text, text).toContain(`<option value="${kind}" selected>`)
    }
    await world.advance(0)
    expect(await following(vera)).toEqual(['joel'])
    expect((await vera.get('/api/v1/blocks')).body).toEqual([])
  })

  test('is read by the names of its columns', async () => {
    const { wim } = await world.cast('wim')
    const text = `Show boosts,Note,Account address,Languages\nfalse,a friend,joel@${host()},de\n`
    expect(await readIn(wim, 'following', text)).toEqual({ state: '1 of 1 lines', failures: '' })
    const relationships = (await wim.get(`/api/v1/accounts/relationships?id[]=${joel.id}`)).body
    expect(relationships[0]).toMatchObject({ following: true, showing_reblogs: false, notifying: false, languages: ['de'] })
    expect(await readIn(wim, 'lists', `List name,Account address\nTea,joel@${host()}\n`)).toEqual({ state: '1 of 1 lines', failures: '' })
  })

  test('keeps whom it names in another way: with an @ in front, or without the server', async () => {
    const { xenia } = await world.cast('xenia')
    const follows = () => query(world, `select id::text from statuses.follow where account_id = ${xenia.id} order by target_id`)
    await readIn(xenia, 'following', `joel@${host()}\nnadia@${host()}\n`)
    const before = await follows()
    await readIn(xenia, 'following', `@JOEL@${host()}\nnadia\n`, 'overwrite')
    expect(await follows()).toEqual(before)
  })
})

describe('a file that is none', () => {
  test.each([
    ['empty', ''],
    ['too long', 'a@b\n'.repeat(20_001)],
    ['no text', 'a\0b\n'],
  ])('says so: %s', async (_what, text) => {
    const { answer } = await send(mara, 'following', text)
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('nothing to read in this file, or too much') })
  })

  test('is not kept when it is larger than any list', async () => {
    const { answer } = await send(mara, 'following', 'x'.repeat(2 * 1024 * 1024 + 1))
    expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('nothing to read in this file, or too much') })
  })

  test('is refused when it breaks off, and nothing of it stays', async () => {
    const visitor = await signIn(world, mara)
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\na@b\n'
    expect((await visitor.go('/auth/account/data', { method: 'POST', headers, body })).status).toBe(400)
    expect((await world.get('/api/v1/instance')).status).toBe(200)
  })

  test('is of no kind there is, or not from our page', async () => {
    expect((await send(mara, 'passwords', 'a\n')).answer.status).toBe(422)
    const form = new FormData()
    form.set('kind', 'following')
    form.set('file', new Blob(['a\n']), 'a.csv')
    expect((await (await signIn(world, mara)).go('/auth/account/data', { method: 'POST', body: form })).status).toBe(403)
  })

  test('of someone else tells nothing', async () => {
    const [{ id }] = await query(world, `select min(id)::text as id from auth.import`)
    const visitor = await signIn(world, pavel)
    for (const other of [id, '1']) expect((await visitor.go(`/auth/account/data/imports/${other}/failures.csv`)).status).toBe(404)
  })
})
