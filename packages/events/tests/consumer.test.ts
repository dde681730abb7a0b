import { DeadLettersDefinition } from '@rookery/contracts/events'
import type { Failure } from '@rookery/failures'
import { link } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Bus,
  type Consumer,
  consumer,
  countDeadLetters,
  deadLetterHandler,
  inProcessBus,
  type Message,
  subscribeConsumers,
} from '../src/index.ts'
import { followed, openSchema, outboxOf, type Tables } from './schema.ts'

const call = () => callWithin(30)
const messageOf = (targetId: string): Message => outboxOf().row(followed(targetId))

describe('consumer', () => {
  let schema: Awaited<ReturnType<typeof openSchema>>
  let bus: Bus
  let refused: Set<string>
  let reaction: Consumer<Tables>
  let faults: unknown[]
  let reported: string[]

  beforeEach(async () => {
    schema = await openSchema()
    bus = inProcessBus()
    refused = new Set()
    faults = []
    reaction = consumer<Tables, 'accountFollowed'>({
      name: 'test.act',
      topic: 'a',
      kinds: ['accountFollowed'],
      handle: async (tx, received) => {
        const targets = received.map(({ event }) => event.value.targetId)
        await tx
          .insertInto('acted')
          .values(targets.map((targetId) => ({ targetId })))
          .execute()
        for (const target of targets) if (refused.has(target)) throw new Error(`${target} cannot be acted on`)
      },
    })
    const onError = (error: unknown) => faults.push(error)
    const observe = {
      handled: (name: string, count: number, delay: number) => reported.push(`${name} ${count} ${delay < 60}`),
      failed: (name: string) => reported.push(`${name} failed`),
    }
    reported = []
    await subscribeConsumers({ db: schema.database.db, bus, group: 'test' }, [reaction], { retryAfter: [1, 1], onError, observe })
  })
  afterEach(() => schema.close())

  const acted = async () => (await schema.database.db.selectFrom('acted').select('targetId').execute()).map((row) => row.targetId).sort()
  const operator = () =>
    link(DeadLettersDefinition, deadLetterHandler([{ service: 'test', db: schema.database.db, consumers: [reaction] }]), { wire: true })
  const letters = async () => (await operator().list(call(), {})).letters

  test('acts once on an event, however often it comes', async () => {
    const [one, two] = [messageOf('1'), messageOf('2')]
    await bus.publish('a', [one, two, one])
    await bus.publish('a', [two])
    await bus.publish('a', [one, two, messageOf('3')])
    expect(await acted()).toEqual(['1', '2', '3'])
  })

  test('records nothing for a consumer that may act again, and gives it each event of a batch once', async () => {
    const again = { ...reaction, name: 'test.again', topic: 'b', isIdempotent: true }
    await subscribeConsumers({ db: schema.database.db, bus, group: 'test' }, [again])
    const [one, two] = [messageOf('1'), messageOf('2')]
    await bus.publish('b', [one, two, one])
    expect(await acted()).toEqual(['1', '2'])
    await bus.publish('b', [two])
    expect(await acted()).toEqual(['1', '2', '2'])
    expect(await schema.database.db.selectFrom('processedEvent').selectAll().execute()).toEqual([])
  })

  test('reports what it handled, what failed, and how many events were put aside', async () => {
    await bus.publish('a', [messageOf('1'), messageOf('2')])
    expect(reported).toEqual(['test.act 2 true'])
    expect(await countDeadLetters(schema.database.db)).toEqual(new Map())
    refused.add('4')
    await bus.publish('a', [messageOf('3'), messageOf('4')])
    // The batch, then the faulty event three times.
    expect(reported.slice(1)).toEqual([...Array(4).fill('test.act failed'), 'test.act 2 true'])
    expect(await countDeadLetters(schema.database.db)).toEqual(new Map([['test.act', 1]]))
  })

  test('records and acts on what it picks alone, and picks again from what comes again', async () => {
    const wanted = new Set(['2'])
    const picky: Consumer<Tables> = {
      ...reaction,
      name: 'test.picky',
      pick: async (db, received) => {
        await db.selectFrom('acted').selectAll().execute()
        return received.filter(({ event }) => event.$case === 'accountFollowed' && wanted.has(event.value.targetId))
      },
    }
    const ownBus = inProcessBus()
    await subscribeConsumers({ db: schema.database.db, bus: ownBus, group: 'test' }, [picky])
    const [one, two] = [messageOf('1'), messageOf('2')]
    await ownBus.publish('a', [one, two, two])
    expect(await acted()).toEqual(['2'])
    const marks = schema.database.db.selectFrom('processedEvent').select('eventId').where('consumer', '=', 'test.picky')
    expect(await marks.execute()).toHaveLength(1)
    wanted.add('1')
    await ownBus.publish('a', [one, two])
    expect(await acted()).toEqual(['1', '2'])
  })

  test('what cannot be picked is put aside, and the others go on', async () => {
    const broken: Consumer<Tables> = {
      ...reaction,
      name: 'test.broken',
      pick: async (_db, received) => {
        if (received.some(({ event }) => event.$case === 'accountFollowed' && event.value.targetId === '1')) throw new Error('unreadable')
        return received
      },
    }
    const ownBus = inProcessBus()
    await subscribeConsumers({ db: schema.database.db, bus: ownBus, group: 'test' }, [broken], { retryAfter: [] })
    await ownBus.publish('a', [messageOf('1'), messageOf('2')])
    expect(await acted()).toEqual(['2'])
    expect(await countDeadLetters(schema.database.db)).toEqual(new Map([['test.broken', 1]]))
  })

  test('passes over kinds it does not want', async () => {
    const other = outboxOf().row({ key: 'ann', event: { $case: 'tokenRevoked', value: { tokenId: '1', accountId: 'ann' } } })
    await bus.publish('a', [other])
    expect(await acted()).toEqual([])
    expect(faults).toEqual([])
  })

  test('passes over events that do not concern it, without a trace', async () => {
    const choosy: Consumer<Tables> = {
      ...reaction,
      name: 'test.choosy',
      concerns: (event) => event.$case === 'accountFollowed' && event.value.targetId !== '1',
    }
    const ownBus = inProcessBus()
    await subscribeConsumers({ db: schema.database.db, bus: ownBus, group: 'test' }, [choosy])
    await ownBus.publish('a', [messageOf('1'), messageOf('2')])
    expect(await acted()).toEqual(['2'])
    const marks = schema.database.db.selectFrom('processedEvent').select('eventId').where('consumer', '=', 'test.choosy')
    expect(await marks.execute()).toHaveLength(1)
  })

  test('a poisoned event is tried again, then put aside; the others of its batch are acted on once', async () => {
    refused.add('2')
    await bus.publish('a', [messageOf('1'), messageOf('2'), messageOf('3')])
    await bus.publish('a', [messageOf('4')])
    expect(await acted()).toEqual(['1', '3', '4'])
    expect(faults).toHaveLength(3)
    expect(await letters()).toMatchObject([
      { consumer: 'test.act', topic: 'a', key: 'ann', kind: 'accountFollowed', error: expect.stringContaining('2 cannot be acted on') },
    ])
  })

  test('bytes that are no envelope are put aside, once', async () => {
    const rubbish = { key: 'ann', envelope: Buffer.from('rubbish') }
    await bus.publish('a', [rubbish, messageOf('1')])
    await bus.publish('a', [rubbish])
    expect(await acted()).toEqual(['1'])
    expect(await letters()).toMatchObject([{ kind: '', key: 'ann' }])
  })

  test('what is no event can be discarded for good, and an operator is shown what it was', async () => {
    refused.add('2')
    const rubbish = { key: 'ann', envelope: Buffer.from('\u001b[2Jrubbish') }
    const long = { key: 'bob', envelope: Buffer.from('x'.repeat(100)) }
    await bus.publish('a', [rubbish, messageOf('2'), long])
    const { letters: discarded, isMore } = await operator().discard(call(), { onlyUnreadable: true })
    expect(isMore).toBe(false)
    expect(discarded.toSorted((one, other) => one.bytes - other.bytes)).toMatchObject([
      {
        consumer: 'test.act',
        topic: 'a',
        key: 'ann',
        isUnreadable: true,
        bytes: 11,
        preview: '\\x1b[2Jrubbish',
        error: expect.any(String),
      },
      { key: 'bob', bytes: 100, preview: `${'x'.repeat(60)}…` },
    ])
    expect(await letters()).toMatchObject([{ kind: 'accountFollowed', isUnreadable: false, preview: '' }])
    await bus.publish('a', [rubbish])
    expect(await letters()).toHaveLength(1)
  })

  test('one letter, or all of them, can be discarded without being acted on', async () => {
    for (const target of ['1', '2', '3']) refused.add(target)
    await bus.publish('a', ['1', '2', '3'].map(messageOf))
    const [newest] = await letters()
    expect((await operator().discard(call(), { ids: [newest!.id] })).letters).toEqual([newest])
    const again = operator().discard(call(), { ids: [newest!.id] })
    await expect(again).rejects.toSatisfy((failure: Failure) => failure.kind === 'not_found')
    expect((await operator().discard(call(), {})).letters).toHaveLength(2)
    expect(await letters()).toEqual([])
    expect(await acted()).toEqual([])
  })

  describe('announcements', () => {
    const ran: string[] = []
    beforeEach(() => ran.splice(0))
    const announcing = (name: string, more: Partial<Consumer<Tables>> = {}): Consumer<Tables> => ({
      ...reaction,
      name,
      publishBefore: async (received) => {
        ran.push(`before ${received.length}, with ${(await acted()).length} acted on`)
      },
      publishAfter: async (received) => {
        ran.push(`after ${received.length}, with ${(await acted()).length} acted on`)
      },
      ...more,
    })
    const opened = async (livePublisher: Consumer<Tables>) => {
      const ownBus = inProcessBus()
      await subscribeConsumers({ db: schema.database.db, bus: ownBus, group: 'test' }, [livePublisher], {
        retryAfter: [],
        onError: (error) => faults.push(error),
      })
      return ownBus
    }

    test('run before and after the act, each event once a batch', async () => {
      const ownBus = await opened(announcing('test.announce'))
      const one = messageOf('1')
      await ownBus.publish('a', [one, one, messageOf('2')])
      expect(ran).toEqual(['before 2, with 0 acted on', 'after 2, with 2 acted on'])
    })

    test('run again for events that come again, which are not acted on again: their process may have been killed before it announced', async () => {
      const ownBus = await opened(announcing('test.announce'))
      const one = messageOf('1')
      await ownBus.publish('a', [one])
      await ownBus.publish('a', [one, messageOf('2')])
      expect(ran.slice(2)).toEqual(['before 2, with 1 acted on', 'after 2, with 2 acted on'])
      expect(await acted()).toEqual(['1', '2'])
    })

    test('are kept with the publisher while the database is away, and act once', async () => {
      const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      const ownBus = await opened(announcing('test.announce', { publishAfter: () => Promise.reject(away) }))
      const one = messageOf('1')
      await expect(ownBus.publish('a', [one])).rejects.toThrow('ECONNREFUSED')
      await expect(ownBus.publish('a', [one])).rejects.toThrow('ECONNREFUSED')
      expect(await acted()).toEqual(['1'])
      expect(faults).toEqual([])
    })

    test('that fail otherwise are reported, and keep no one from the act', async () => {
      const broken = () => Promise.reject(new Error('no such view'))
      const ownBus = await opened(announcing('test.announce', { publishBefore: broken, publishAfter: broken }))
      await ownBus.publish('a', [messageOf('1')])
      expect(await acted()).toEqual(['1'])
      expect(faults.map(String)).toEqual(['Error: no such view', 'Error: no such view'])
    })

    test('leave out what became a dead letter, until it is acted on', async () => {
      refused.add('2')
      const livePublisher = announcing('test.announce')
      const ownBus = await opened(livePublisher)
      await ownBus.publish('a', [messageOf('1'), messageOf('2')])
      expect(ran.at(-1)).toBe('after 1, with 1 acted on')
      refused.clear()
      ran.splice(0)
      const box = { service: 'test', db: schema.database.db, consumers: [livePublisher] }
      const operators = link(DeadLettersDefinition, deadLetterHandler([box]), { wire: true })
      expect(await operators.replay(call(), {})).toEqual({ replayed: 1, failed: [] })
      expect(ran).toEqual(['before 1, with 1 acted on', 'after 1, with 2 acted on'])
    })
  })

  test('while the database is away events stay in the outbox of their publisher', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const broken: Consumer<Tables> = { ...reaction, name: 'test.away', topic: 'b', handle: () => Promise.reject(away) }
    await subscribeConsumers({ db: schema.database.db, bus, group: 'test' }, [broken])
    await expect(bus.publish('b', [messageOf('1')])).rejects.toThrow('ECONNREFUSED')
    expect(await letters()).toEqual([])
  })

  test('an operator has a letter acted on once its cause is gone, and it is no more', async () => {
    refused.add('2')
    await bus.publish('a', [messageOf('2')])
    const [letter] = await letters()
    const still = await operator().replay(call(), { ids: [letter!.id] })
    expect(still).toEqual({ replayed: 0, failed: [{ id: letter!.id, error: '2 cannot be acted on' }] })
    expect(await acted()).toEqual([])
    refused.clear()
    expect(await operator().replay(call(), {})).toEqual({ replayed: 1, failed: [] })
    expect(await acted()).toEqual(['2'])
    expect(await letters()).toEqual([])
    expect((await operator().replay(call(), { ids: [letter!.id] })).failed).toHaveLength(1)
  })

  test('a letter that never was is not found', async () => {
    const asked = operator().replay(call(), { ids: ['other:1'] })
    await expect(asked).rejects.toSatisfy((failure: Failure) => failure.kind === 'not_found')
  })

  test('what a reaction says to others leaves with its own transaction', async () => {
    const telling: Consumer<Tables> = {
      ...reaction,
      name: 'test.tell',
      handle: async (tx) => {
        await outboxOf().append(tx, [followed('told')])
        throw new Error('after all not')
      },
    }
    await subscribeConsumers({ db: schema.database.db, bus, group: 'test' }, [telling], { retryAfter: [] })
    await bus.publish('a', [messageOf('1')])
    expect(await schema.database.db.selectFrom('outbox').select('id').execute()).toEqual([])
  })
})
