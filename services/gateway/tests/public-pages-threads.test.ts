import { type Person, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The thread on the page of a post: what the API returns without a token.

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const visit = (path: string) => world.asks('GET', path, { headers: { accept: 'text/html' } })
const answer = (person: Person, to: { id: string }, text: string, more: object = {}) =>
  person.says(text, { in_reply_to_id: to.id, ...more })
const order = (text: string) => [...text.matchAll(/<p>(?:<[^>]*>@\w+<[^>]*> )?(post \w+)/g)].map(([, said]) => said)

test('what a post answers stands above it, what answers it below, by depth; nothing that is not open', async () => {
  const first = await mara.says('post one')
  const second = await answer(joel, first, 'post two')
  const third = await answer(mara, second, 'post three')
  await answer(joel, third, 'post four')
  await answer(mara, second, 'post five')
  await answer(joel, second, 'post secret', { visibility: 'private' })
  await answer(joel, first, 'post beside')
  const { text } = await visit(`/@joel/${second.id}`)
  expect(order(text)).toEqual(['post one', 'post two', 'post three', 'post four', 'post five'])
  expect(text.match(/<div class="depth-\d">/g)).toEqual(['<div class="depth-1">', '<div class="depth-2">', '<div class="depth-1">'])
  expect(text).toMatch(/<article aria-label="Post by joel" class="alone" tabindex="-1" autofocus>(?:(?!<\/article>)[\s\S])*post two/)
  expect(text).toContain('<h1 class="unseen">Post by joel</h1>')
  const alone = (await visit(`/@mara/${first.id}`)).text
  expect([alone.includes('<h2>Replies</h2>'), alone.includes(' autofocus>')]).toEqual([true, false])
})

test('a long thread is cut where the API cuts it', async () => {
  const first = await mara.says('post first')
  for (let number = 0; number < 63; number++) await answer(joel, first, `post n${number}`)
  const { body } = await world.get(`/api/v1/statuses/${first.id}/context`)
  expect(order((await visit(`/@mara/${first.id}`)).text)).toHaveLength(1 + body.descendants.length)
  expect(body.descendants.length).toBeLessThan(63)
})

test('silenced and suspended authors are left out', async () => {
  const { nils, otto } = await world.cast('nils', 'otto')
  const first = await mara.says('post open')
  await answer(nils as Person, first, 'post silenced')
  await answer(otto as Person, first, 'post suspended')
  await world.operator().setSilenced(innerCall(), { username: 'nils', isSilenced: true })
  await world.operator().setSuspended(innerCall(), { username: 'otto', isSuspended: true })
  expect(order((await visit(`/@mara/${first.id}`)).text)).toEqual(['post open'])
})

test('search engines may show it while everyone in it wants to be found', async () => {
  const { vera, emil } = await world.cast('vera', 'emil')
  await vera.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { indexable: true } })
  const first = await vera.says('post found')
  const isFound = async () => !(await visit(`/@vera/${first.id}`)).text.includes('content="noindex"')
  expect(await isFound()).toBe(true)
  const reply = await answer(emil, first, 'post quiet')
  expect(await isFound()).toBe(false)
  await emil.asks('DELETE', `/api/v1/statuses/${reply.id}`)
  expect(await isFound()).toBe(true)
})

test('costs two calls, and as many statements however long the thread', async () => {
  const first = await mara.says('post cost')
  const warm = async () => {
    await visit(`/@mara/${first.id}`)
    await visit(`/@mara/${first.id}`)
    return world.lastRequest
  }
  await answer(joel, first, 'post a')
  const few = await warm()
  for (let number = 0; number < 8; number++) await answer(joel, first, `post b${number}`)
  expect(await warm()).toEqual({ hops: 2, statements: few.statements })
})
