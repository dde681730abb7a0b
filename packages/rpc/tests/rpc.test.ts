import { once } from 'node:events'
import { linkSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { connect as connectHttp2, constants, createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, connect as connectTo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Server } from '@grpc/grpc-js'
import { AppsDefinition } from '@rookery/contracts/auth'
import { AttachmentsDefinition } from '@rookery/contracts/media'
import { Failure } from '@rookery/failures'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CallMeter, type Connection, connect, type Handler, link, openConnection, serve } from '../src/index.ts'
import { app, call, failureOf, type Reached, rpcConformance, serving } from './rpc.conformance.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rpc-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A meter that records how calls end. */
const endings = () => {
  const ends: string[] = []
  const meter: CallMeter = (path, code, seconds) => {
    expect(seconds).toBeGreaterThanOrEqual(0)
    ends.push(`${path} ${code}`)
  }
  return { ends, meter }
}

const overWire = async (handlers: readonly Handler[], address: string): Promise<Reached> => {
  const faults: unknown[] = []
  const { ends, meter } = endings()
  const server = await serve(handlers, address, { onFault: (_path, cause) => faults.push(cause), meter })
  const connection = openConnection(address.startsWith('unix:') ? address : `127.0.0.1:${server.port}`, { meter })
  const close = async () => {
    connection.close()
    await server.stop(0)
  }
  return { apps: connect(AppsDefinition, connection), attachments: connect(AttachmentsDefinition, connection), faults, ends, close }
}

const inProcess =
  (wire: boolean) =>
  async (handlers: readonly Handler[]): Promise<Reached> => {
    const faults: unknown[] = []
    const { ends, meter } = endings()
    const options = { wire, meter, onFault: (_path: string, cause: unknown) => void faults.push(cause) }
    const [apps, attachments] = [link(AppsDefinition, handlers[0]!, options), link(AttachmentsDefinition, handlers[1]!, options)]
    return { apps, attachments, faults, ends, close: async () => {} }
  }

/** A server without shared streams, as replicas of the previous release during an upgrade. */
const overOlderWire = async (handlers: readonly Handler[]): Promise<Reached> => {
  const { addService } = Server.prototype
  const spy = vi.spyOn(Server.prototype, 'addService').mockImplementation(function (this: Server, methods, calls) {
    if (!('carry' in methods)) addService.call(this, methods, calls)
  })
  try {
    return await overWire(handlers, '127.0.0.1:0')
  } finally {
    spy.mockRestore()
  }
}

let sockets = 0
rpcConformance('gRPC, with a callee of the release before', overOlderWire)
rpcConformance('gRPC', (handlers) => overWire(handlers, '127.0.0.1:0'))
rpcConformance('gRPC over a file', (handlers) => overWire(handlers, `unix:${folder}/${sockets++}.sock`))
rpcConformance('in process', inProcess(false))
rpcConformance('in process, through the codecs', inProcess(true))

describe('gRPC between processes', () => {
  const withConnection = async (port: number, work: (connection: Connection) => Promise<void>) => {
    const connection = openConnection(`127.0.0.1:${port}`)
    try {
      await work(connection)
    } finally {
      connection.close()
    }
  }

  test('are sent away while they are still answered, so that they ask who else there is', async () => {
    let count = 0
    const register = async () => app(`Tusk ${++count}`)
    const server = await serve(serving({ apps: { register } }), '127.0.0.1:0')
    const session = connectHttp2(`http://127.0.0.1:${server.port}`)
    try {
      await once(session, 'remoteSettings')
      const isSentAway = once(session, 'goaway')
      await withConnection(server.port, async (connection) => {
        const apps = connect(AppsDefinition, connection)
        for (let round = 0; round < 20; round++) {
          const calls = Array.from({ length: 10 }, () => apps.register(call(), {}))
          if (round % 5 === 2) server.askToReconnect()
          await Promise.all(calls)
        }
      })
      await isSentAway
      expect(count).toBe(200)
    } finally {
      session.destroy()
      await server.stop(0)
    }
  })

  test('are answered after they were sent away, also when a ping is due meanwhile', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const register = async () => {
      begin()
      await mayEnd
      return app('Tusk')
    }
    const server = await serve(serving({ apps: { register } }), '127.0.0.1:0', { pingEvery: 20 })
    await withConnection(server.port, async (connection) => {
      const registering = connect(AppsDefinition, connection).register(call(), {})
      await begun
      server.askToReconnect()
      // A dozen pings.
      await pause(250)
      end()
      expect(await registering).toEqual(app('Tusk'))
    })
    await server.stop(0)
  })

  test.each([constants.NGHTTP2_NO_ERROR, constants.NGHTTP2_PROTOCOL_ERROR, constants.NGHTTP2_INTERNAL_ERROR, constants.NGHTTP2_CANCEL])(
    'of calls whose stream broke off with code %d, only those that may be are sent again, and no one is told that it is their fault',
    async (code) => {
      let streams = 0
      const server = createHttp2Server().on('stream', (stream: ServerHttp2Stream) => {
        stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
        stream
          .on('error', () => {})
          .once('data', () => {
            streams++
            stream.close(code)
          })
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      await withConnection((server.address() as AddressInfo).port, async (connection) => {
        const apps = connect(AppsDefinition, connection)
        expect((await failureOf(apps.register(call(), {}))).kind).toBe('unavailable')
        expect(streams).toBe(1)
        expect((await failureOf(apps.read(call({ deadline: Date.now() + 1000 }), {}))).kind).toBe('unavailable')
        expect(streams).toBeGreaterThan(2)
      })
      server.close()
    },
  )

  test('of calls that were under way when the other side died, only those that may be are sent again', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let waiting = 0
    const hang = () => {
      if (++waiting === 2) begin()
      return new Promise<never>(() => {})
    }
    const asked: string[] = []
    const answer = (name: string) => async () => {
      asked.push(name)
      return app('Tusk')
    }
    const first = await serve(serving({ apps: { read: hang, register: hang } }), '127.0.0.1:0')
    await withConnection(first.port, async (connection) => {
      const apps = connect(AppsDefinition, connection)
      const reading = apps.read(call(), {})
      const registering = failureOf(apps.register(call(), {}))
      await begun
      await first.stop(0)
      const second = await serve(serving({ apps: { read: answer('read'), register: answer('register') } }), `127.0.0.1:${first.port}`)
      expect(await reading).toEqual(app('Tusk'))
      expect((await registering).kind).toBe('unavailable')
      expect(asked).toEqual(['read'])
      expect(await apps.register(call(), {})).toEqual(app('Tusk'))
      await second.stop(0)
    })
  })

  test('calls that find no one wait for who comes within seconds, whatever they do', async () => {
    const first = await serve(serving({}), '127.0.0.1:0')
    await withConnection(first.port, async (connection) => {
      expect(await connection.fault()).toBe(undefined)
      await first.stop(0)
      const apps = connect(AppsDefinition, connection)
      const asked: string[] = []
      const answer = (name: string) => async () => {
        asked.push(name)
        return app('Tusk')
      }
      const waiting = Promise.all([apps.read(call(), {}), apps.register(call(), {})])
      // Longer than calls once waited: a rollout on a busy machine leaves a caller without a known replica for a second.
      await pause(1200)
      const second = await serve(serving({ apps: { read: answer('read'), register: answer('register') } }), `127.0.0.1:${first.port}`)
      expect(await waiting).toEqual([app('Tusk'), app('Tusk')])
      expect(asked.sort()).toEqual(['read', 'register'])
      await second.stop(0)
    })
  })

  test('a call that the other side does not know is unavailable: it is older than its caller and will be upgraded', async () => {
    const server = await serve([serving({})[0]!], '127.0.0.1:0')
    await withConnection(server.port, async (connection) => {
      const unknown = connect(AttachmentsDefinition, connection).read(call(), {})
      expect(await failureOf(unknown)).toMatchObject({ kind: 'unavailable', message: 'Service Unavailable' })
    })
    await server.stop(0)
  })

  test('a connection says whether the other side answers calls', async () => {
    const server = await serve(serving({}), '127.0.0.1:0')
    await withConnection(server.port, async (connection) => {
      expect(await connection.fault()).toBe(undefined)
      await server.stop(0)
      expect(await connection.fault()).toBe('it does not answer: UNAVAILABLE')
    })
  })

  test('what the other side answered is not asked again', async () => {
    let asked = 0
    const read = async () => {
      asked++
      throw new Failure('unavailable', 'no')
    }
    const server = await serve(serving({ apps: { read } }), '127.0.0.1:0')
    await withConnection(server.port, async (connection) => {
      await failureOf(connect(AppsDefinition, connection).read(call(), {}))
      expect(asked).toBe(1)
    })
    await server.stop(0)
  })

  test('a server that stops lets running calls finish and takes no more', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const read = async () => {
      begin()
      await mayEnd
      return app('Tusk')
    }
    const server = await serve(serving({ apps: { read } }), '127.0.0.1:0')
    await withConnection(server.port, async (connection) => {
      const answer = connect(AppsDefinition, connection).read(call(), {})
      await begun
      const stopped = server.stop(20_000)
      await withConnection(server.port, async (late) => {
        expect((await failureOf(connect(AppsDefinition, late).register(call(), {}))).kind).toBe('unavailable')
      })
      end()
      expect(await answer).toEqual(app('Tusk'))
      await stopped
    })
  })

  test('a call that is under way when its server stops outlasts the pings, and is not sent again', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    let asked = 0
    const register = async () => {
      asked++
      begin()
      await pause(1000)
      return app('Tusk')
    }
    const server = await serve(serving({ apps: { register } }), '127.0.0.1:0')
    const connection = openConnection(`127.0.0.1:${server.port}`, { timeouts: { pingEvery: 100, pingTimeout: 100, connect: 2000 } })
    try {
      const answer = connect(AppsDefinition, connection).register(call(), {})
      await begun
      await Promise.all([server.stop(20_000), expect(answer).resolves.toEqual(app('Tusk'))])
      expect(asked).toBe(1)
    } finally {
      connection.close()
    }
  })

  test('a server that stops does not wait for ever', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const read = () => {
      begin()
      return new Promise<never>(() => {})
    }
    const server = await serve(serving({ apps: { read } }), '127.0.0.1:0')
    await withConnection(server.port, async (connection) => {
      const failing = failureOf(connect(AppsDefinition, connection).read(call(), {}))
      await begun
      await server.stop(10)
      expect((await failing).kind).toBe('unavailable')
    })
  })

  test('a file left by a killed server is taken over, and only its owner may reach it', async () => {
    const path = join(folder, 'left.sock')
    const handlers = serving({ apps: { read: async () => app('Tusk') } })
    // A closed server removes its file; under another name the file stays, as after a kill.
    const killed = createServer()
    await new Promise<void>((resolve) => killed.listen(`${path}.first`, resolve))
    linkSync(`${path}.first`, path)
    await new Promise((resolve) => killed.close(resolve))
    const server = await serve(handlers, `unix:${path}`)
    const connection = openConnection(`unix:${path}`)
    expect(await connect(AppsDefinition, connection).read(call(), {})).toEqual(app('Tusk'))
    expect(statSync(path).mode & 0o077).toBe(0)
    connection.close()
    await server.stop(0)
  })

  test('a file a living server listens on is not taken', async () => {
    const address = `unix:${folder}/living.sock`
    const server = await serve(serving({}), address)
    await expect(serve(serving({}), address)).rejects.toThrow()
    await server.stop(0)
  })
})

test('whatever bytes come on a connection or as a message, other callers are answered', async () => {
  const faults: unknown[] = []
  const read = async () => app('Tusk')
  const server = await serve(serving({ apps: { read } }), '127.0.0.1:0', { onFault: (_path, cause) => faults.push(cause) })
  const connection = openConnection(`localhost:${server.port}`)
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  const bytes = fc.uint8Array({ maxLength: 80 }).map((each) => Buffer.from(each))
  // An HTTP/2 frame with any type, flags and stream (RFC 9113, 4.1).
  const frame = fc.tuple(bytes, fc.nat({ max: 12 }), fc.nat({ max: 255 }), fc.nat({ max: 5 })).map(([payload, type, flags, stream]) => {
    const head = Buffer.alloc(9)
    head.writeUIntBE(payload.length, 0, 3)
    head.writeUInt8(type, 3)
    head.writeUInt8(flags, 4)
    head.writeUInt32BE(stream, 5)
    return Buffer.concat([head, payload])
  })
  const send = (sent: Buffer) =>
    new Promise<void>((resolve) => {
      const socket = connectTo(server.port, '127.0.0.1', () => socket.end(sent, () => socket.destroy()))
      socket.on('error', () => {})
      socket.once('close', () => resolve())
    })
  try {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(fc.oneof(bytes, frame), { maxLength: 4 }), (isHttp2, parts) =>
        send(Buffer.concat([...(isHttp2 ? [preface] : []), ...parts])),
      ),
      { seed: 20_260_505, numRuns: 300 },
    )
    fc.assert(
      fc.property(bytes, (message) => {
        for (const { requestType } of Object.values(AttachmentsDefinition.methods)) {
          try {
            requestType.encode(requestType.decode(message) as never)
          } catch (error) {
            // Only the errors of the decoder for invalid messages.
            expect(error).toBeInstanceOf(Error)
          }
        }
      }),
      { seed: 20_260_505, numRuns: 1000 },
    )
    expect(await connect(AppsDefinition, connection).read(call({ deadline: Date.now() + 10_000 }), {})).toMatchObject({ name: 'Tusk' })
    expect(faults).toEqual([])
  } finally {
    connection.close()
    await server.stop(0)
  }
})
