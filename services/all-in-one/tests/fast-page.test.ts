import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskStorage, filesFolder } from '@rookery/media'
import { createLogger } from '@rookery/runtime'
import { ask, type Person, World } from '@rookery/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compose, modulesConfig } from '../src/index.ts'

let world: World
let dataDir: string
beforeAll(async () => {
  world = await World.open()
  dataDir = await mkdtemp(join(tmpdir(), 'rookery-cold-'))
})
afterAll(async () => {
  await world.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** The same database behind a server that has read nothing yet. */
const coldly = async <Result>(work: (origin: string) => Promise<Result>): Promise<Result> => {
  const rookery = await compose({
    urlOf: (role) => {
      const url = new URL(world.databaseUrl)
      url.username = role
      return url.href
    },
    files: diskStorage({ folder: filesFolder(dataDir) }),
    config: modulesConfig({
      BASE_URL: world.origin,
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
      REGISTRATIONS: 'open',
      CONFIRMATION: 'automatic',
    }),
    clock: world.clock,
    log: createLogger({ name: 'cold', level: 'fatal' }),
    isWired: true,
    isWorking: false,
  })
  const server = createServer(rookery.answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rookery.close()
  }
}

const ACTS = [
  'post',
  'post',
  'private',
  'reply',
  'delete',
  'favourite',
  'unfavourite',
  'bookmark',
  'reblog',
  'unreblog',
  'mute thread',
  'unmute thread',
  'profile',
  'follow',
  'unfollow',
  'block',
  'unblock',
  'mute',
  'mute briefly',
  'unmute',
  'wait',
  'look',
] as const
const PEOPLE = 3
const acts = fc.array(fc.record({ act: fc.constantFrom(...ACTS), by: fc.nat(PEOPLE - 1), on: fc.nat(PEOPLE - 1), which: fc.nat(9) }), {
  minLength: 10,
  maxLength: 40,
  size: 'max',
})

const PAGES = ['/api/v1/timelines/home?limit=40', '/api/v1/timelines/public?limit=40', '/api/v1/favourites?limit=40']

test('pages from memory are those that a server without memory gives, for everybody, after any acts', async () => {
  let round = 0
  await fc.assert(
    fc.asyncProperty(acts, async (sequence) => {
      round++
      const people = Object.values(await world.cast(...Array.from({ length: PEOPLE }, (_, index) => `fast${round}_${index}`))) as Person[]
      for (const one of people) for (const other of people) if (one !== other) await one.follows(other)
      const said: { id: string; by: Person }[] = []
      const say = async (by: Person, more: Record<string, unknown>) => void said.push({ id: (await by.says('hello', more)).id, by })
      const look = () => Promise.all(people.flatMap((person) => PAGES.map((page) => person.get(page))))
      for (const { act, by, on, which } of sequence) {
        const [actor, other] = [people[by]!, people[on]!]
        const target = said[which % (said.length || 1)]
        if (act === 'post') await say(actor, {})
        else if (act === 'private') await say(actor, { visibility: 'private' })
        else if (act === 'look') await look()
        else if (act === 'wait') world.clock.advance(40_000)
        else if (act === 'profile')
          await actor.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: `name ${which}` } })
        else if (act === 'mute briefly') await actor.post(`/api/v1/accounts/${other.id}/mute`, { duration: 60 })
        else if (['follow', 'unfollow', 'block', 'unblock', 'mute', 'unmute'].includes(act))
          await actor.post(`/api/v1/accounts/${other.id}/${act}`)
        else if (!target) continue
        else if (act === 'reply') await actor.post('/api/v1/statuses', { status: 're', in_reply_to_id: target.id })
        else if (act === 'mute thread') await actor.post(`/api/v1/statuses/${target.id}/mute`)
        else if (act === 'unmute thread') await actor.post(`/api/v1/statuses/${target.id}/unmute`)
        else if (act === 'delete') await target.by.asks('DELETE', `/api/v1/statuses/${target.id}`)
        else await actor.post(`/api/v1/statuses/${target.id}/${act}`)
      }
      await world.settle()
      await look()
      await coldly(async (origin) => {
        for (const person of people) {
          for (const page of PAGES) {
            const warm = await person.get(page)
            expect(warm.status).toBe(200)
            const cold = await ask(origin, 'GET', page, { token: person.token })
            expect(warm.body).toEqual(cold.body)
          }
        }
        const page = '/api/v1/timelines/public?limit=40'
        expect((await world.get(page)).body).toEqual((await ask(origin, 'GET', page)).body)
      })
    }),
    { numRuns: 12, interruptAfterTimeLimit: 45_000 },
  )
}, 90_000)
