import { AppsDefinition } from '@rookery/contracts/auth'
import { AttachmentsDefinition, ProcessingState, type UploadedAttachment, type UploadPart } from '@rookery/contracts/media'
import { FAILURE_KINDS, Failure } from '@rookery/failures'
import { describe, expect, test } from 'vitest'
import { type Call, type Client, type Handler, handler, type Served } from '../src/index.ts'

export type Apps = typeof AppsDefinition
type Attachments = typeof AttachmentsDefinition
type App = Awaited<ReturnType<Client<Apps>['read']>>

/** A transport under test: clients of the served modules, the reported errors, and the ends of calls on each side that reports them. */
export type Reached = { apps: Client<Apps>; attachments: Client<Attachments>; faults: unknown[]; ends: string[]; close(): Promise<void> }
export type Reach = (handlers: readonly Handler[]) => Promise<Reached>

export const call = (given: Partial<Call> = {}): Call => ({
  deadline: Date.now() + 30_000,
  signal: new AbortController().signal,
  trace: '',
  ...given,
})

export const app = (name: string): App => ({
  id: '1',
  name,
  website: '',
  redirectUris: [],
  scopes: [],
  clientId: '',
  clientSecret: '',
  number: 0,
})

const refuse = async (): Promise<never> => {
  throw new Failure('broken', 'this test does not serve it')
}

/** Handlers of which a test implements only the calls it makes. */
export const serving = (served: { apps?: Partial<Served<Apps>>; attachments?: Partial<Served<Attachments>> }): Handler[] => [
  handler(AppsDefinition, { register: refuse, read: refuse, ...served.apps }),
  handler(AttachmentsDefinition, {
    upload: refuse,
    read: refuse,
    update: refuse,
    remove: refuse,
    readAccepted: refuse,
    claim: refuse,
    release: refuse,
    ...served.attachments,
  }),
]

/** The failure of a call. */
export const failureOf = async (answer: Promise<unknown>): Promise<Failure> => {
  const error = await answer.then(
    () => new Error('it did not fail'),
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(Failure)
  return error
}

/** The conformance suite of calls, for any transport. */
export const rpcConformance = (name: string, reach: Reach): void => {
  describe(`${name}: calls`, () => {
    const withReach = async (served: Parameters<typeof serving>[0], work: (reached: Reached) => Promise<void>) => {
      const reached = await reach(serving(served))
      try {
        await work(reached)
      } finally {
        await reached.close()
      }
    }

    test('request and answer arrive, with defaults for what was left out', () =>
      withReach({ apps: { read: async (_call, { id }) => ({ ...app('Tusk'), id }) } }, async ({ apps }) => {
        expect(await apps.read(call(), { id: '7' })).toEqual({ ...app('Tusk'), id: '7' })
        expect(await apps.read(call(), {})).toEqual({ ...app('Tusk'), id: '' })
      }))

    test('the trace, the reservation and the deadline go with the call', async () => {
      const seen: Call[] = []
      const read = async (given: Call) => {
        seen.push(given)
        return app('Tusk')
      }
      await withReach({ apps: { read } }, async ({ apps }) => {
        const begun = Date.now()
        const deadline = begun + 4000
        await apps.read(call({ trace: 'abc', reservation: '7', deadline }), {})
        expect(seen[0]).toMatchObject({ trace: 'abc', reservation: '7' })
        await apps.read(call(), {})
        expect(seen[1]?.reservation).toBeUndefined()
        // The deadline is sent as the remaining time, so it shifts by the transmission time.
        const onTheWay = Date.now() - begun
        expect(Math.abs((seen[0]?.deadline ?? 0) - deadline)).toBeLessThan(200 + onTheWay)
      })
    })

    test.each(FAILURE_KINDS)('a failure of kind %s arrives as it was thrown', (kind) => {
      const violations = [{ field: 'email', code: 'ERR_BLANK', description: 'can’t be blank' }]
      const register = async () => {
        throw new Failure(kind, `It is ${kind}: ñ`, { violations, cause: 'a secret' })
      }
      return withReach({ apps: { register } }, async ({ apps }) => {
        const failure = await failureOf(apps.register(call(), {}))
        expect({ ...failure, message: failure.message }).toMatchObject({ kind, message: `It is ${kind}: ñ`, violations })
      })
    })

    test('a fault of our own reveals nothing to the caller, and is reported to us', () => {
      const read = async () => {
        throw new Error('password of the database')
      }
      return withReach({ apps: { read } }, async ({ apps, faults }) => {
        const failure = await failureOf(apps.read(call(), {}))
        expect(failure.kind).toBe('broken')
        expect(failure.message).not.toContain('password')
        expect(faults).toHaveLength(1)
        expect(String(faults[0])).toContain('password of the database')
      })
    })

    test('how a call ends is reported with its path', () => {
      const read = async (_call: Call, { id }: { id: string }) => {
        if (id === 'missing') throw new Failure('not_found', 'no')
        if (id === 'broken') throw new Error('no')
        return app('Tusk')
      }
      return withReach({ apps: { read } }, async ({ apps, ends }) => {
        await apps.read(call(), { id: 'here' })
        await failureOf(apps.read(call(), { id: 'missing' }))
        await failureOf(apps.read(call(), { id: 'broken' }))
        const reported = ['ok', 'not_found', 'broken'].map((code) => `/rookery.auth.v1.Apps/Read ${code}`)
        expect([...new Set(ends)]).toEqual(reported)
        expect(ends.length % reported.length).toBe(0)
      })
    })

    test('after its deadline a call is unavailable', () =>
      withReach({ apps: { read: () => new Promise<never>(() => {}) } }, async ({ apps }) => {
        const failure = await failureOf(apps.read(call({ deadline: Date.now() + 50 }), {}))
        expect(failure.kind).toBe('unavailable')
      }))

    test('when the caller leaves, the call ends on both sides', async () => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const { promise: noticed, resolve: notice } = Promise.withResolvers<void>()
      const read = (given: Call) => {
        given.signal.addEventListener('abort', () => notice())
        begin()
        return new Promise<never>(() => {})
      }
      await withReach({ apps: { read } }, async ({ apps }) => {
        const leaving = new AbortController()
        const answer = failureOf(apps.read(call({ signal: leaving.signal }), {}))
        await begun
        leaving.abort()
        expect((await answer).kind).toBe('unavailable')
        await noticed
      })
    })

    test('a caller that has left before does not call', async () => {
      let isCalled = false
      const read = async () => {
        isCalled = true
        return app('Tusk')
      }
      await withReach({ apps: { read } }, async ({ apps }) => {
        const failure = await failureOf(apps.read(call({ signal: AbortSignal.abort() }), {}))
        expect(failure.kind).toBe('unavailable')
        expect(isCalled).toBe(false)
      })
    })

    const part = (bytes: string): UploadPart => ({ part: { $case: 'chunk', value: Buffer.from(bytes) } })
    const uploaded: UploadedAttachment = { attachment: undefined, state: ProcessingState.DONE }

    test('a stream of requests arrives whole and in order', async () => {
      const got: string[] = []
      const upload = async (_call: Call, parts: AsyncIterable<UploadPart>) => {
        for await (const { part } of parts) if (part?.$case === 'chunk') got.push(Buffer.from(part.value).toString())
        return uploaded
      }
      const numbers = Array.from({ length: 200 }, (_, index) => String(index))
      async function* parts() {
        for (const number of numbers) yield part(number)
      }
      await withReach({ attachments: { upload } }, async ({ attachments }) => {
        expect(await attachments.upload(call(), parts())).toEqual(uploaded)
        expect(got).toEqual(numbers)
      })
    })

    test('a stream may be refused before it was read to its end', async () => {
      const upload = async () => {
        throw new Failure('invalid', 'too large')
      }
      async function* endless() {
        for (;;) {
          yield part('x'.repeat(1000))
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      await withReach({ attachments: { upload } }, async ({ attachments }) => {
        const failure = await failureOf(attachments.upload(call(), endless()))
        expect(failure).toMatchObject({ kind: 'invalid', message: 'too large' })
      })
    })

    test('a stream that is not read to its end is closed at its sender', async () => {
      const { promise: closed, resolve: close } = Promise.withResolvers<void>()
      const upload = async (_call: Call, parts: AsyncIterable<UploadPart>) => {
        await parts[Symbol.asyncIterator]().next()
        throw new Failure('invalid', 'too large')
      }
      async function* endless() {
        try {
          for (;;) {
            yield part('x')
            await new Promise((resolve) => setImmediate(resolve))
          }
        } finally {
          close()
        }
      }
      await withReach({ attachments: { upload } }, async ({ attachments }) => {
        expect(await failureOf(attachments.upload(call(), endless()))).toMatchObject({ kind: 'invalid' })
        await closed
      })
    })

    test('a stream whose sender fails does not look complete', async () => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const { promise: ended, resolve: end } = Promise.withResolvers<string>()
      const upload = async (_call: Call, parts: AsyncIterable<UploadPart>) => {
        try {
          for await (const _ of parts) begin()
          end('complete')
        } catch {
          end('broken off')
        }
        return uploaded
      }
      async function* breaking() {
        yield part('a')
        await begun
        throw new Failure('malformed', 'the form broke off')
      }
      await withReach({ attachments: { upload } }, async ({ attachments }) => {
        const failure = await failureOf(attachments.upload(call(), breaking()))
        expect(failure).toMatchObject({ kind: 'malformed', message: 'the form broke off' })
        expect(await ended).toBe('broken off')
      })
    })
  })
}
