import { AppsDefinition } from '@rookery/contracts/auth'
import { startProxy, type TestProxy } from '@rookery/test-stores'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect, openConnection, serve } from '../src/index.ts'
import { app, call, failureOf, serving } from './rpc.conformance.ts'

/** Long enough for a busy machine to answer a ping. */
const TIMEOUT = { pingEvery: 200, pingTimeout: 1000, connect: 1000 }
/** Far below the deadline of a call. */
const SOON = 10_000

type Replica = { asked: string[]; proxy: TestProxy; stop(): Promise<void> }

const startReplica = async (): Promise<Replica> => {
  const asked: string[] = []
  const answer = (name: string) => async () => {
    asked.push(name)
    return app('Tusk')
  }
  const server = await serve(serving({ apps: { read: answer('read'), register: answer('register') } }), '127.0.0.1:0')
  const proxy = await startProxy(`127.0.0.1:${server.port}`)
  const stop = async () => {
    await proxy.close()
    await server.stop(0)
  }
  return { asked, proxy, stop }
}

describe('a callee that goes silent', () => {
  const replicas: Replica[] = []
  const open = (...addresses: string[]) =>
    openConnection(addresses.length > 1 ? `ipv4:${addresses.join()}` : addresses[0]!, { timeouts: TIMEOUT })
  beforeEach(async () => {
    replicas.push(await startReplica(), await startReplica())
  })
  afterEach(async () => {
    await Promise.all(replicas.splice(0).map((replica) => replica.stop()))
  })
  const timed = async <Result>(work: Promise<Result>) => {
    const begun = performance.now()
    const result = await work
    expect(performance.now() - begun).toBeLessThan(SOON)
    return result
  }

  test('costs a read a moment: another replica answers, and then only that one is asked', async () => {
    const [silent, well] = replicas as [Replica, Replica]
    const connection = open(silent.proxy.address, well.proxy.address)
    const apps = connect(AppsDefinition, connection)
    await expect
      .poll(async () => {
        await apps.read(call(), {})
        return [silent.asked.length > 0, well.asked.length > 0]
      })
      .toEqual([true, true])
    silent.proxy.silence()
    const before = silent.asked.length
    const answers = await timed(Promise.all(Array.from({ length: 10 }, () => apps.read(call(), {}))))
    expect(answers).toEqual(Array.from({ length: 10 }, () => app('Tusk')))
    expect(await timed(apps.register(call(), {}))).toEqual(app('Tusk'))
    expect(silent.asked).toHaveLength(before)
    silent.proxy.heal()
    await expect
      .poll(async () => {
        await apps.read(call(), {})
        return silent.asked.length > before
      })
      .toBe(true)
    connection.close()
  })

  test('fails a write soon and not at its deadline, and no replica is asked to do it again', async () => {
    const [silent, well] = replicas as [Replica, Replica]
    const connection = open(silent.proxy.address)
    const apps = connect(AppsDefinition, connection)
    // Until each shared stream is open.
    for (let times = 0; times < 8; times++) await apps.register(call(), {})
    silent.proxy.dropOpenFlows()
    expect((await timed(failureOf(apps.register(call(), {})))).kind).toBe('unavailable')
    expect(silent.asked).toHaveLength(8)
    expect(well.asked).toEqual([])
    // New connections succeed.
    expect(await timed(apps.register(call(), {}))).toEqual(app('Tusk'))
    connection.close()
  })

  test('is noticed while no call is under way, so that the next one is answered at once', async () => {
    const [silent] = replicas as [Replica]
    const connection = open(silent.proxy.address)
    const apps = connect(AppsDefinition, connection)
    await apps.register(call(), {})
    silent.proxy.dropOpenFlows()
    await expect.poll(() => silent.proxy.flows()).toBe(1)
    expect(await timed(apps.register(call(), {}))).toEqual(app('Tusk'))
    connection.close()
  })

  test('that accepts connections and says nothing is given up soon too', async () => {
    const [silent] = replicas as [Replica]
    silent.proxy.silence()
    const connection = open(silent.proxy.address)
    const apps = connect(AppsDefinition, connection)
    expect((await timed(failureOf(apps.register(call(), {})))).kind).toBe('unavailable')
    silent.proxy.heal()
    await expect.poll(() => apps.register(call(), {}).catch(() => undefined)).toEqual(app('Tusk'))
    connection.close()
  })
})
