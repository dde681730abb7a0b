import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let owner: Person
beforeAll(async () => {
  world = await World.open({ settings: { RATE_LIMITS: 'on' } })
  owner = await world.owner('owner')
})
afterAll(() => world?.close())

const BODY = JSON.stringify({ status: 'sent before, ended after' })

const remaining = async (person: Person) =>
  Number((await person.get('/api/v1/accounts/verify_credentials')).headers.get('x-ratelimit-remaining'))

/** Sends the head of a post and half of its body; resolves once the server has counted it, to what sends the rest and returns the answer. */
const slowPost = async (person: Person) => {
  const sent = request(`${world.origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', 'content-length': BODY.length },
  })
  const answer = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    sent.on('response', (response) => void json(response).then((body) => resolve({ status: response.statusCode, body }), reject))
    sent.on('error', reject)
  })
  const before = await remaining(person)
  sent.write(BODY.slice(0, 10))
  for (let polls = 1; (await remaining(person)) > before - polls - 1; polls++);
  return () => {
    sent.end(BODY.slice(10))
    return answer
  }
}

test('a slow post is a post', async () => {
  const mara = await world.person('mara')
  const finish = await slowPost(mara)
  expect((await finish()).status).toBe(200)
})

test('a post whose author is disabled while its body comes is refused', async () => {
  const joel = await world.person('joel')
  const finish = await slowPost(joel)
  expect((await owner.post(`/api/v1/admin/accounts/${joel.id}/action`, { type: 'disable' })).status).toBe(200)
  expect(await finish()).toEqual({ status: 403, body: { error: 'Your login is currently disabled' } })
  expect((await world.get(`/api/v1/accounts/${joel.id}/statuses`)).body).toEqual([])
})
