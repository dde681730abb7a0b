import { DiagnosticsDefinition } from '@rookery/contracts/common'
import { createLogger, faultsOf } from '@rookery/runtime'
import { type Person, World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const FULL = 'could not extend file "base/5/1259": No space left on device'

const lines: string[] = []
let world: World
let mara: Person
beforeAll(async () => {
  const log = createLogger({ name: 'world', level: 'error' }, { write: (line) => void lines.push(line) })
  world = await World.open({ log })
  mara = await world.person('mara')
  await mara.says('one')
  await world.idle()
  // Like Postgres with a full disk.
  await world.query(
    `create function statuses.full() returns trigger language plpgsql as $$ begin raise exception '${FULL}' using errcode = '53100'; end $$`,
  )
})
afterAll(() => world.close())
beforeEach(() => void lines.splice(0))

const errors = () => lines.map((line) => JSON.parse(line))

describe('a server whose database has no room left', () => {
  test('refuses posts, says why in one line of the log and on its health page, and goes on to be read', async () => {
    await world.query('create trigger full_disk before insert on statuses.status for each row execute function statuses.full()')
    for (const status of ['two', 'three']) expect((await mara.post('/api/v1/statuses', { status })).status).toBe(503)

    expect(errors()).toEqual([
      expect.objectContaining({
        msg: 'a store is unavailable: calls fail',
        err: expect.objectContaining({ message: FULL, fault: '53100' }),
      }),
    ])
    const degraded = { 'writes of statuses': `Postgres refuses to write: ${FULL}` }
    expect(await faultsOf(world.rookery.degraded)).toEqual(degraded)
    expect(await faultsOf(world.rookery.checks)).toEqual({})
    expect((await mara.get('/api/v1/timelines/home')).status).toBe(200)
    expect((await operatorClient(world, DiagnosticsDefinition).examine(innerCall(), {})).faults).toEqual([
      { part: 'writes of statuses', fault: degraded['writes of statuses'] },
    ])

    await world.query('drop trigger full_disk on statuses.status')
    await mara.says('four')
    expect(await faultsOf(world.rookery.degraded)).toEqual({})
  })

  test('logs the next cause, as of a server that only reads', async () => {
    await world.query(
      `create function statuses.reads_only() returns trigger language plpgsql as
       $$ begin raise exception 'cannot execute INSERT in a read-only transaction' using errcode = '25006'; end $$`,
    )
    await world.query('create trigger reads_only before insert on statuses.status for each row execute function statuses.reads_only()')
    expect((await mara.post('/api/v1/statuses', { status: 'five' })).status).toBe(503)
    expect(errors().map(({ err }) => err.fault)).toEqual(['25006'])
  })
})
