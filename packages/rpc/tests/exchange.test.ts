import { setTimeout as pause } from 'node:timers/promises'
import { Server } from '@grpc/grpc-js'
import { AppsDefinition } from '@rookery/contracts/auth'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Call, type Client, connect, openConnection, serve } from '../src/index.ts'
import { MAX_UNDER_WAY } from '../src/serve-exchange.ts'
import { MAX_MESSAGE_BYTES } from '../src/wire.ts'
import { type Apps, app, call, failureOf, serving } from './rpc.conformance.ts'

type Read = (call: Call, request: { id: string }) => Promise<ReturnType<typeof app>>

describe('calls that share streams', () => {
  const closing: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  const startServer = async (read: Read): Promise<string> => {
    const server = await serve(serving({ apps: { read } }), '127.0.0.1:0')
    closing.push(() => server.stop(0))
    return `127.0.0.1:${server.port}`
  }
  const open = (...addresses: string[]): Client<Apps> => {
    const connection = openConnection(addresses.length > 1 ? `ipv4:${addresses.join()}` : addresses[0]!)
    closing.push(connection.close)
    return connect(AppsDefinition, connection)
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

  test('are answered each by its own answer, in whatever order those are ready', async () => {
    const held = new Map<string, () => void>()
    const apps = open(
      await startServer(async (_call, { id }) => {
        if (Number(id) % 2 === 0) await new Promise<void>((resolve) => held.set(id, resolve))
        return app(`Tusk ${id}`)
      }),
    )
    const ids = numbers(200)
    const answers = Promise.all(ids.map((id) => apps.read(call(), { id })))
    const odd = ids.filter((id) => Number(id) % 2 === 1)
    await expect.poll(() => held.size).toBe(ids.length - odd.length)
    for (const release of [...held.values()].reverse()) release()
    expect((await answers).map(({ name }) => name)).toEqual(ids.map((id) => `Tusk ${id}`))
  })

  test('of moments after each other go to every replica', async () => {
    const asked = [0, 0, 0]
    const count = (index: number) =>
      startServer(async () => {
        asked[index]!++
        return app('Tusk')
      })
    const apps = open(await count(0), await count(1), await count(2))
    await expect
      .poll(async () => {
        await apps.read(call(), {})
        return asked.every((times) => times > 0)
      })
      .toBe(true)
  })

  test('beyond what is answered at the same time wait for those before them', async () => {
    let underWay = 0
    let most = 0
    const apps = open(
      await startServer(async () => {
        most = Math.max(most, ++underWay)
        await pause(50)
        underWay--
        return app('Tusk')
      }),
    )
    const count = 5 * MAX_UNDER_WAY
    await Promise.all(numbers(count).map(() => apps.read(call(), {})))
    expect(underWay).toBe(0)
    // The last message read before the pause may exceed the limit.
    expect(most).toBeLessThan(1.5 * MAX_UNDER_WAY)
  })

  test('with long answers do not keep each other from arriving', async () => {
    const apps = open(await startServer(async (_call, { id }) => app(id.repeat(100_000))))
    const ids = numbers(100)
    const answers = await Promise.all(ids.map((id) => apps.read(call(), { id })))
    expect(answers.map(({ name }) => name.length)).toEqual(ids.map((id) => id.length * 100_000))
  })

  test('fail alone where an answer is larger than any message may be', async () => {
    const apps = open(await startServer(async (_call, { id }) => app(id === 'large' ? 'x'.repeat(MAX_MESSAGE_BYTES) : 'Tusk')))
    const [large, small] = await Promise.all([failureOf(apps.read(call(), { id: 'large' })), apps.read(call(), { id: 'small' })])
    expect(large.kind).toBe('unavailable')
    expect(small).toEqual(app('Tusk'))
  })

  test('take long requests by themselves', async () => {
    const apps = open(await startServer(async (_call, { id }) => app(String(id.length))))
    expect(await apps.read(call(), { id: 'x'.repeat(1024 * 1024) })).toEqual(app(String(1024 * 1024)))
  })

  test('of which one leaves go on, and what has not left yet does not arrive', async () => {
    const asked: string[] = []
    const apps = open(
      await startServer(async (_call, { id }) => {
        asked.push(id)
        return app('Tusk')
      }),
    )
    const leaving = new AbortController()
    const gone = failureOf(apps.read(call({ signal: leaving.signal }), { id: 'gone' }))
    const staying = apps.read(call(), { id: 'staying' })
    leaving.abort()
    expect((await gone).kind).toBe('unavailable')
    expect(await staying).toEqual(app('Tusk'))
    expect(asked).toEqual(['staying'])
  })

  test('open few streams however many there are, and a stream is not used for long', async () => {
    let streams = 0
    const { addService } = Server.prototype
    const spy = vi.spyOn(Server.prototype, 'addService').mockImplementation(function (this: Server, methods, calls) {
      const { carry } = calls as { carry?: (wire: unknown) => void }
      const counted = carry && {
        carry: (wire: unknown) => {
          streams++
          carry(wire)
        },
      }
      addService.call(this, methods, counted ?? calls)
    })
    closing.push(() => spy.mockRestore())
    const apps = open(await startServer(async () => app('Tusk')))
    for (let moment = 0; moment < 50; moment++) await Promise.all(numbers(20).map(() => apps.read(call(), {})))
    const opened = streams
    expect(opened).toBeLessThan(20)
    await expect
      .poll(async () => {
        await apps.read(call(), {})
        return streams
      })
      .toBeGreaterThan(opened)
  })
})
