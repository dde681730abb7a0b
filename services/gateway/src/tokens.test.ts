import { cachePool } from '@rookery/cache'
import { TokenHolder, TokenState, TokensDefinition } from '@rookery/contracts/auth'
import { type Ephemeral, memoryEphemeral } from '@rookery/ephemeral'
import { handler, link } from '@rookery/rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRememberingCheck, createTokenCheck } from './tokens.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

let ephemeral: Ephemeral
let isConnected: boolean
let calendar: number
let elapsed: number
/** The number of digests in each call. */
let asked: number[]
let state: TokenState
let beforeAnswer: () => Promise<unknown> | undefined

const tokens = link(
  TokensDefinition,
  handler(TokensDefinition, {
    check: async (_call, { digests }) => {
      asked.push(digests.length)
      const answered = state
      await beforeAnswer()
      return { holders: digests.map((digest) => TokenHolder.fromPartial({ state: answered, tokenId: digest.toString('hex') })) }
    },
  }),
  { wire: true },
)

const open = () =>
  createRememberingCheck({
    tokens,
    invalidations: {
      ...ephemeral.invalidations,
      watch(topic) {
        const stamp = ephemeral.invalidations.watch(topic)
        return () => (isConnected ? stamp() : undefined)
      },
    },
    clock: { now: () => calendar },
    memory: cachePool({ maxBytes: 1024 * 1024 }).cache('token holders'),
    now: () => elapsed,
  })
const invalidate = () => ephemeral.invalidations.publish(TokensDefinition.fullName)

beforeEach(() => {
  ephemeral = memoryEphemeral(Date.now)
  ;[isConnected, calendar, elapsed, asked, state, beforeAnswer] = [true, NOON, 0, [], TokenState.VALID, () => undefined]
})
afterEach(() => ephemeral.close())

describe('whom a token belongs to', () => {
  test('is asked once for many requests, also of one moment, and each token apart', async () => {
    const check = open()
    const [first, other] = await Promise.all([check('one'), check('two')])
    expect([await check('one'), await check('two')]).toEqual([first, other])
    expect([asked, first?.tokenId === other?.tokenId]).toEqual([[2], false])
  })

  test('is asked again after a second', async () => {
    const check = open()
    await check('one')
    elapsed = 999
    state = TokenState.REVOKED
    expect((await check('one'))?.state).toBe(TokenState.VALID)
    elapsed = 1000
    expect((await check('one'))?.state).toBe(TokenState.REVOKED)
  })

  test('is asked again by the next request once auth said that something changed', async () => {
    const check = open()
    await check('one')
    state = TokenState.REVOKED
    await invalidate()
    expect((await check('one'))?.state).toBe(TokenState.REVOKED)
  })

  test('is not remembered from an answer that was under way when auth said so', async () => {
    const check = open()
    beforeAnswer = () => {
      state = TokenState.REVOKED
      return invalidate()
    }
    expect((await check('one'))?.state).toBe(TokenState.VALID)
    beforeAnswer = () => undefined
    expect((await check('one'))?.state).toBe(TokenState.REVOKED)
  })

  test('is asked each time while auth cannot be heard', async () => {
    const check = open()
    await check('one')
    isConnected = false
    await check('one')
    await check('one')
    expect(asked).toHaveLength(3)
  })

  test('is asked each time for a token that auth does not know', async () => {
    const check = open()
    state = TokenState.UNKNOWN
    await check('one')
    expect((await check('one'))?.state).toBe(TokenState.UNKNOWN)
    expect(asked).toHaveLength(2)
  })

  test('is asked again on a new day: auth notes by day who was seen', async () => {
    const check = open()
    calendar = Date.UTC(2026, 0, 2) - 1
    await check('one')
    calendar++
    await check('one')
    await check('one')
    expect(asked).toHaveLength(2)
  })

  test('is not remembered from a question that failed', async () => {
    const check = open()
    beforeAnswer = () => Promise.reject(new Error('away'))
    await expect(check('one')).rejects.toThrow()
    beforeAnswer = () => undefined
    expect((await check('one'))?.state).toBe(TokenState.VALID)
  })

  test('is asked for each request by a gateway that remembers nothing', async () => {
    const check = createTokenCheck(tokens)
    await check('one')
    await check('one')
    expect(asked).toHaveLength(2)
  })
})
