import { type Person, World } from '@rookery/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
  await joel.follows(mara)
  await mara.says('first')
  await world.settle()
})
afterAll(() => world.close())

/** What a page costs the first time after something changed, and again. */
const costOf = async (person: Person, path: string) => {
  const first = await person.get(path)
  const cold = world.lastRequest
  await person.get(path)
  return { length: first.body.length as number, cold, warm: world.lastRequest }
}

const PAGES = [
  ['/api/v1/timelines/home?limit=40', { hops: 2, statements: 2 }],
  ['/api/v1/timelines/public?limit=40', { hops: 2, statements: 2 }],
  ['/api/v1/accounts/ID/statuses?limit=40', { hops: 2, statements: 3 }],
] as const

describe('a page costs the same for 1 and for 40 statuses', () => {
  test('and no more than its budget', async () => {
    const few = []
    for (const [path, budget] of PAGES) {
      const cost = await costOf(joel, path.replace('ID', mara.id))
      expect([path, cost.length, cost.warm]).toEqual([path, 1, budget])
      few.push(cost)
    }
    for (let index = 0; index < 45; index++) await mara.says(`${index} @joel`, index % 2 ? {} : { in_reply_to_id: undefined })
    await world.settle()
    for (const [index, [path, budget]] of PAGES.entries()) {
      const cost = await costOf(joel, path.replace('ID', mara.id))
      expect([path, cost.length, cost.warm]).toEqual([path, 40, budget])
      expect(cost.cold.hops).toBe(2)
      expect(cost.cold.statements).toBeLessThanOrEqual(12)
      expect(few[index]!.cold.statements).toBeLessThanOrEqual(12)
    }
  })

  test('notifications too, in three hops', async () => {
    const few = await costOf(joel, '/api/v1/notifications?limit=1')
    const many = await costOf(joel, '/api/v1/notifications?limit=30')
    expect([few.length, many.length]).toEqual([1, 30])
    expect(many.warm.statements).toBe(few.warm.statements)
    // The batches of accounts and statuses are asked for side by side: four calls, three in sequence.
    expect(many.warm.hops).toBeLessThanOrEqual(4)
  })
})

test('posting costs the same however much is in it', async () => {
  await mara.says('short')
  const short = world.lastRequest
  await mara.says(`@joel ${Array.from({ length: 30 }, (_, index) => `#t${index}`).join(' ')}`, {
    in_reply_to_id: (await joel.says('parent')).id,
  })
  expect(world.lastRequest).toEqual(short)
  expect(short).toEqual({ hops: 2, statements: 3 })
  await mara.says('keyed', {}, { 'Idempotency-Key': 'budget' })
  expect(world.lastRequest).toEqual({ hops: 2, statements: 4 })
})
