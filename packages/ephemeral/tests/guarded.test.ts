import { readFileSync } from 'node:fs'
import { makeAuthority, startRedis, type TestAuthority, whyNoCertificates, whyNoRedis } from '@rookery/test-stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ephemeral } from '../src/index.ts'
import { redisEphemeral } from '../src/redis/redis.ts'

const PASSWORD = 'only-the-birds-know'
const lacking = (await whyNoRedis()) ?? whyNoCertificates()

describe.skipIf(lacking)(lacking ?? 'a Redis that lets in over TLS, by certificate and password', () => {
  let authority: TestAuthority
  let redis: Awaited<ReturnType<typeof startRedis>>
  let own: { ca: string; cert: string; key: string }
  beforeAll(async () => {
    authority = makeAuthority('birds')
    redis = await startRedis({ guarded: { authority, username: 'rookery', password: PASSWORD } })
    const { certificate, key } = authority.issue('rookery')
    own = { ca: authority.pem, cert: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') }
  })
  afterAll(async () => {
    await redis.stop()
    authority.remove()
  })

  /** The connected accounts, as the store has them. */
  const connected = async ({ presence }: Ephemeral) => {
    await presence.arrive('ann')
    return await presence.listeners()
  }

  /** The result within a moment: connected, or the reported faults. */
  const outcome = async (url: string, tls: { ca?: string; cert?: string; key?: string }) => {
    const reported: string[] = []
    const ephemeral = redisEphemeral({ url, tls, now: Date.now, onFault: (fault) => reported.push(fault) })
    try {
      await ephemeral.live.subscribe({ read() {} })
      await expect.poll(() => reported.length > 0 || ephemeral.live.fault() === undefined, { interval: 10 }).toBe(true)
      return { fault: ephemeral.live.fault(), reported, connected: await connected(ephemeral) }
    } finally {
      await ephemeral.close()
    }
  }

  test('lets in who has both', async () => {
    expect(await outcome(redis.url, own)).toMatchObject({ fault: undefined, reported: [], connected: ['ann'] })
  })

  test.each([
    ['a wrong password', () => redis.url.replace(PASSWORD, 'wrong-guess'), () => own, /WRONGPASS/],
    ['no password', () => redis.url.replace(/\/\/.*@/, '//'), () => own, /NOAUTH/],
    ['an authority of its own', () => redis.url, () => ({ ...own, ca: makeOther().pem }), /self.signed|unable to (get|verify)/],
    ['none but the usual authorities', () => redis.url, () => ({ cert: own.cert, key: own.key }), /self.signed|unable to (get|verify)/],
    ['no TLS', () => redis.url.replace('rediss', 'redis'), () => own, /Redis does not answer|was lost/],
  ])('refuses %s, and says so once without the secret', async (_, url, tls, why) => {
    const { fault, reported, connected: found } = await outcome(url(), tls())
    expect(fault).toMatch(why)
    expect([...new Set(reported)]).toEqual(reported)
    expect(reported.join()).toMatch(why)
    expect(reported.join()).not.toMatch(/only-the-birds-know|wrong-guess/)
    expect(found).toBeUndefined()
  })

  const others: TestAuthority[] = []
  const makeOther = () => {
    const other = makeAuthority('crows')
    others.push(other)
    return other
  }
  afterAll(() => {
    for (const other of others) other.remove()
  })
})
