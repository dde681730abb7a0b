import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { type Person, World } from '@rookery/test-world'
import type { PageAnswer } from '@rookery/test-world/outside'
import { signIn } from '@rookery/test-world/page-browser'
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

/** Does what begins a request of a person, and resolves once the server has counted it. */
const counted = async (person: Person, begin: () => void) => {
  const before = await remaining(person)
  begin()
  for (let polls = 1; (await remaining(person)) > before - polls - 1; polls++);
}

const disable = async ({ id }: Person) => {
  expect((await owner.post(`/api/v1/admin/accounts/${id}/action`, { type: 'disable' })).status).toBe(200)
}

/** Sends the head of a post and the beginning of its body; what it returns sends the rest, and returns the answer. */
const slowPost = async (person: Person) => {
  const sent = request(`${world.origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', 'content-length': BODY.length },
  })
  const answer = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    sent.on('response', (response) => void json(response).then((body) => resolve({ status: response.statusCode, body }), reject))
    sent.on('error', reject)
  })
  await counted(person, () => sent.write(BODY.slice(0, 10)))
  return () => {
    sent.end(BODY.slice(10))
    return answer
  }
}

/** Sends the form that adds a rule likewise; what it returns sends the rest, and returns the address that the answer leads to. */
const slowForm = async (person: Person) => {
  const browser = await signIn(world, person)
  const page = await browser.visit('/admin/settings/rules')
  const [, action = '', form = ''] = /<form method="post" action="([^"]+)"([\s\S]*?value="add"[\s\S]*?)<\/form>/.exec(page.text) ?? []
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ])
  const values = new URLSearchParams([...hidden, ['text', 'Sing']]).toString()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  let answer: Promise<PageAnswer> | undefined
  await counted(person, () => {
    answer = browser.go(action.replaceAll('&amp;', '&'), { method: 'POST', headers, body: readable, duplex: 'half' } as RequestInit)
    void writer.write(Buffer.from(values.slice(0, 10)))
  })
  return async () => {
    await writer.write(Buffer.from(values.slice(10)))
    await writer.close()
    return (await answer)?.location
  }
}

const rules = async () => (await world.get('/api/v1/instance/rules')).body.map(({ text }: { text: string }) => text)

test('a slow post is a post', async () => {
  const finish = await slowPost(await world.person('mara'))
  expect((await finish()).status).toBe(200)
})

test('a post whose author is disabled while its body comes is refused', async () => {
  const joel = await world.person('joel')
  const finish = await slowPost(joel)
  await disable(joel)
  expect(await finish()).toEqual({ status: 403, body: { error: 'Your login is currently disabled' } })
  expect((await world.get(`/api/v1/accounts/${joel.id}/statuses`)).body).toEqual([])
})

test('a slow form of staff does what it says, and nothing where its sender is disabled while it comes', async () => {
  const [ann, ben] = [await world.person('ann', { role: 'admin' }), await world.person('ben', { role: 'admin' })]
  const finish = await slowForm(ann)
  expect(await finish()).toContain('/admin/settings/rules')
  const before = await rules()
  expect(before).toContain('Sing')
  const late = await slowForm(ben)
  await disable(ben)
  expect(await late()).toContain('/auth/sign_in')
  expect(await rules()).toEqual(before)
})
