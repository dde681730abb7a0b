import { transact } from '@rookery/database'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readEnvelope } from '../src/envelope.ts'
import {
  type Bus,
  createRelay,
  inProcessBus,
  type Message,
  notifyRelay,
  type Relay,
  type RelayOptions,
  readOutboxState,
} from '../src/index.ts'
import { followed, openSchema, outboxOf } from './schema.ts'

const targetOf = ({ envelope }: Message) => {
  const event = readEnvelope(envelope)?.event
  return event?.$case === 'accountFollowed' ? event.value.targetId : ''
}

describe('outbox and relay', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  let bus: Bus
  let arrived: string[]
  const relays: Relay[] = []

  beforeEach(async () => {
    schema = await openSchema()
    bus = inProcessBus()
    arrived = []
    const handle = async (messages: readonly Message[]) => void arrived.push(...messages.map(targetOf))
    await bus.subscribe('watch', [{ topic: 'a', consumer: 'watch', handle }])
  })
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.close()))
    await schema.close()
  })

  const open = (options: Partial<RelayOptions> = {}) => {
    const relay = createRelay({ url: schema.url, bus, intervalMilliseconds: 60_000, ...options })
    relays.push(relay)
    return relay
  }
  const append = (...targets: string[]) => transact(schema.database.db, (tx) => outboxOf().append(tx, targets.map(followed)))
  const waiting = async () => (await schema.database.db.selectFrom('outbox').select('id').execute()).length

  test('events leave in their order and only when their transaction is kept', async () => {
    await append('1', '2', '3')
    const undone = transact(schema.database.db, async (tx) => {
      await outboxOf().append(tx, [followed('never')])
      throw new Error('rolled back')
    })
    await expect(undone).rejects.toThrow('rolled back')
    await open().drain()
    expect(arrived).toEqual(['1', '2', '3'])
    expect(await waiting()).toBe(0)
  })

  test('what waits is counted, and since when; what left is reported', async () => {
    const before = Date.now()
    expect(await readOutboxState(schema.database.db)).toEqual({ events: 0, oldestMilliseconds: undefined })
    await append('1', '2')
    const { events, oldestMilliseconds } = await readOutboxState(schema.database.db)
    expect(events).toBe(2)
    expect(oldestMilliseconds).toBeGreaterThanOrEqual(before)
    expect(oldestMilliseconds).toBeLessThanOrEqual(Date.now())
    let published = 0
    const onPublished = (count: number) => {
      published += count
    }
    await open({ onPublished }).drain()
    expect([published, (await readOutboxState(schema.database.db)).events]).toEqual([2, 0])
  })

  test('the outbox wakes its relay after the commit, not before', async () => {
    const woken: string[] = []
    await transact(schema.database.db, async (tx) => {
      await outboxOf(() => woken.push('woken')).append(tx, [followed('1')])
      expect(woken).toEqual([])
    })
    expect(woken).toEqual(['woken'])
  })

  test('a transaction that commits late is not skipped', async () => {
    const slow = new pg.Client({ connectionString: schema.url })
    await slow.connect()
    await slow.query('begin')
    const { key, envelope, topic } = outboxOf().row(followed('late'))
    await slow.query('insert into outbox (topic, key, envelope) values ($1, $2, $3)', [topic, key, envelope])
    await append('early')
    const relay = open()
    await relay.drain()
    expect(arrived).toEqual(['early'])
    await slow.query('commit')
    await slow.end()
    await relay.drain()
    expect(arrived).toEqual(['early', 'late'])
  })

  test('what the bus refused stays, and goes first the next time', async () => {
    let isRefusing = true
    const refusing: Bus = {
      ...bus,
      publish: async (topic, messages) => {
        if (isRefusing) throw new Error('the bus is away')
        await bus.publish(topic, messages)
      },
    }
    const faults: unknown[] = []
    const relay = open({ bus: refusing, onError: (error) => faults.push(error) })
    await append('1')
    await relay.drain()
    expect(faults).toHaveLength(1)
    expect(await waiting()).toBe(1)
    await append('2')
    isRefusing = false
    await relay.drain()
    expect(arrived).toEqual(['1', '2'])
  })

  test('of two relays one works, and the other takes over when it is gone', async () => {
    const [first, second] = [open(), open()]
    await first.drain()
    await append('1')
    await second.drain()
    expect(arrived).toEqual([])
    await first.drain()
    expect(arrived).toEqual(['1'])
    await first.close()
    await append('2')
    await expect.poll(() => second.drain().then(() => arrived)).toEqual(['1', '2'])
  })

  test('goes on after its connection was cut', async () => {
    const faults: unknown[] = []
    const relay = open({ onError: (error) => faults.push(error) })
    await relay.drain()
    const administrator = new pg.Client({ connectionString: schema.own.url('postgres') })
    await administrator.connect()
    await administrator.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'events_test' and datname = $1`, [
      schema.own.name,
    ])
    await administrator.end()
    await expect
      .poll(() =>
        append('1').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(() => relay.drain().then(() => arrived)).toEqual(['1'])
  })

  test('many wakes within a moment make one round', async () => {
    let rounds = 0
    const counting: Bus = {
      ...bus,
      publish: async (topic, messages) => {
        rounds++
        await bus.publish(topic, messages)
      },
    }
    const relay = open({ bus: counting })
    await relay.drain()
    await append('1', '2')
    for (let wake = 0; wake < 100; wake++) relay.wake()
    expect(relay.isIdle()).toBe(false)
    await expect.poll(() => relay.isIdle()).toBe(true)
    expect(arrived).toEqual(['1', '2'])
    expect(rounds).toBe(1)
  })

  test('a process that serves wakes the relay of another by NOTIFY', async () => {
    const relay = open({ listen: 'events_test' })
    await relay.drain()
    await append('1')
    const wake = notifyRelay({ pool: schema.database.pool, channel: 'events_test' })
    for (let call = 0; call < 100; call++) wake()
    await expect.poll(() => arrived, { interval: 10 }).toEqual(['1'])
  })

  test('looks by itself from time to time, should a wake be lost', async () => {
    await append('1')
    open({ intervalMilliseconds: 20 })
    await expect.poll(() => arrived, { interval: 10 }).toEqual(['1'])
  })

  test('forgets the marks of events handled more than fourteen days ago', async () => {
    const row = (id: number, days: number) => ({
      consumer: 'watch',
      eventId: `00000000-0000-7000-8000-00000000000${id}`,
      processedAt: new Date(Date.now() - days * 86_400_000),
    })
    await schema.database.db
      .insertInto('processedEvent')
      .values([row(1, 15), row(2, 13)])
      .execute()
    await open().drain()
    const left = await schema.database.db.selectFrom('processedEvent').select('eventId').execute()
    expect(left).toEqual([{ eventId: row(2, 13).eventId }])
  })

  test('forgets what is old some at a time, dead letters after ninety days', async () => {
    const { pool } = schema.database
    await pool.query(`
      create table forgotten (name text, count int);
      create function note_forgotten() returns trigger language plpgsql as
        $$ begin insert into forgotten select tg_table_name, count(*) from gone; return null; end $$;
      create trigger noted after delete on processed_event referencing old table as gone for each statement execute function note_forgotten();
      create trigger noted after delete on dead_letter referencing old table as gone for each statement execute function note_forgotten();
      insert into processed_event (consumer, event_id, processed_at) select 'watch', gen_random_uuid(), now() - interval '15 days' from generate_series(1, 12000);
      insert into processed_event (consumer, event_id, processed_at) values ('watch', gen_random_uuid(), now());
      insert into dead_letter (consumer, event_id, topic, key, envelope, error, failed_at)
        select 'watch', gen_random_uuid(), 'test.v1', 'key', '', '', now() - days * interval '1 day' from unnest('{91,89}'::int[]) days`)
    const relay = open()
    await relay.drain()
    await expect.poll(() => relay.isIdle()).toBe(true)
    const { rows } = await pool.query('select name, sum(count)::int, max(count) from forgotten where count > 0 group by name order by name')
    expect(rows).toEqual([
      { name: 'dead_letter', sum: 1, max: 1 },
      { name: 'processed_event', sum: 12_000, max: 5000 },
    ])
  })
})
