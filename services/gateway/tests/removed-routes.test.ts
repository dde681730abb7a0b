import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../src/module.ts'

let world: World
let mara: Person
beforeAll(async () => {
  world = await World.open()
  mara = await world.person('mara')
})
afterAll(() => world.close())

// Endpoints that the spec marks as removed answer like unknown ones.
test.each([
  ['GET', '/api/v1/timelines/direct'],
  ['POST', '/api/v1/notifications/dismiss'],
] as const)('%s %s is removed', async (method, path) => {
  expect(endpoints.filter((endpoint) => endpoint.method === method && endpoint.path === path)).toEqual([])
  for (const token of [undefined, mara.token]) {
    const asking = { token, ...(method === 'POST' ? { body: { id: '1' } } : {}) }
    const [answer, never] = await Promise.all([world.asks(method, path, asking), world.asks(method, '/api/v1/never/was', asking)])
    expect([answer.status, answer.text]).toEqual([404, never.text])
  }
})
