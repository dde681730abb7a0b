import type { Person } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAmongStrangers } from './strangers.ts'

// What another server may make this one do by one request. `inbox` is until the answer, `job` what its work costs besides finding the job and
// ending it: calls between services, and statements of both.

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let mara: Person
beforeAll(async () => {
  among = await openAmongStrangers()
  mara = await among.world.person('mara')
})
afterAll(() => among?.close())

type Stranger = ReturnType<typeof among.stranger>

const costOf = async (stranger: Stranger, activity: object) => {
  await among.idle()
  expect(await among.deliver(stranger, { actor: stranger.uri, ...activity })).toBe(202)
  const { statements } = among.world.lastRequest
  return { inbox: statements, job: await among.world.jobsCost() }
}

test('a favourite of someone who is known', async () => {
  const ann = among.stranger('ann')
  const like = async (number: number) => {
    const { id } = await mara.says(`said ${number}`)
    return costOf(ann, { id: `${ann.origin}/likes/${number}`, type: 'Like', object: `${among.actorOf('mara')}/statuses/${id}` })
  }
  await like(1)
  expect(await like(2)).toEqual({ inbox: 3, job: { hops: 2, statements: 14 } })
})

test('a status of someone who is known, with a mention', async () => {
  const ben = among.stranger('ben')
  const create = (number: number) => {
    const object = among.note(ben, { tag: [among.mention('mara')], cc: [among.actorOf('mara')] })
    return costOf(ben, { id: `${ben.origin}/creates/${number}`, type: 'Create', object })
  }
  await create(1)
  expect(await create(2)).toEqual({ inbox: 3, job: { hops: 3, statements: 10 } })
})

test('a status that concerns no one', async () => {
  const cem = among.stranger('cem')
  const create = (number: number) => costOf(cem, { id: `${cem.origin}/creates/${number}`, type: 'Create', object: among.note(cem) })
  await create(1)
  expect(await create(2)).toEqual({ inbox: 3, job: { hops: 1, statements: 7 } })
})
