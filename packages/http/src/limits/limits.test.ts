import { memoryEphemeral } from '@rookery/ephemeral'
import { type RequestHandler, Router } from 'express'
import supertest from 'supertest'
import { expect, test } from 'vitest'
import { createEdge } from '../edge/edge.ts'
import { stateOf } from '../edge/state.ts'
import { createRateLimiter, RATE_LIMITS } from './index.ts'

const HOUR = 3_600_000
const MAX = RATE_LIMITS.registrations.max

/** Rate limits in memory, with a clock that tests move, and an edge whose callers name their account in a header. */
const open = ({ isOn = true } = {}) => {
  let now = 1000 * HOUR
  const { rates } = memoryEphemeral(() => now)
  const limits = createRateLimiter({ rates, now: () => now, isOn })
  const ok: RequestHandler = (_request, response) => void response.json({})
  const identify: RequestHandler = (request, response, next) => {
    stateOf(response).accountId = request.get('x-account') ?? ''
    next()
  }
  const routes = Router()
    .use(identify)
    .get('/sign-up', limits.on('registrations'), ok)
    .get('/media', limits.on('address'), limits.on('media'), ok)
    .get('/guess', async (request, response) => {
      await limits.refuseBeyond('registrations', request, response)
      response.json({})
    })
    .get('/every', async (request, response) => {
      await limits.countIn(['address', 'account'], request, response)
      response.json({})
    })
  const log = { debug() {}, warn() {}, error() {} }
  const ask = supertest(createEdge({ log, routes: [routes] }).answer)
  const shown = async (path: string, account = '') => {
    const { status, headers } = await ask.get(path).set('x-account', account)
    return [status, Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining'])]
  }
  const pass = (milliseconds: number) => {
    now += milliseconds
  }
  return { ask, shown, limits, pass, resetsAt: () => new Date(now + HOUR / 2).toISOString().replace('Z', '000Z') }
}

test('a route counts its callers, says how many calls are left until when, and refuses those beyond', async () => {
  const { ask, shown, resetsAt } = open()
  for (let left = MAX - 1; left >= 0; left--) expect(await shown('/sign-up')).toEqual([200, MAX, left])
  const refused = await ask.get('/sign-up').expect(429, { error: 'Too many requests' })
  expect(refused.headers).toMatchObject({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': resetsAt() })
})

test('the next window starts at zero', async () => {
  const { shown, pass } = open()
  for (let calls = 0; calls <= MAX; calls++) await shown('/sign-up')
  pass(HOUR / 2)
  expect(await shown('/sign-up')).toEqual([200, MAX, MAX - 1])
})

test('of two limits the closer is shown', async () => {
  const { shown } = open()
  expect(await shown('/media', '1')).toEqual([200, 30, 29])
  for (let calls = 0; calls < 290; calls++) await shown('/every')
  expect(await shown('/media', '1')).toEqual([200, 300, 8])
})

test('a limit of accounts counts no caller without one', async () => {
  const { shown } = open()
  for (let calls = 1; calls <= 40; calls++) expect(await shown('/media')).toEqual([200, 300, 300 - calls])
})

test('who only looks is not counted, and is refused once the limit is used up', async () => {
  const { ask, shown } = open()
  for (let calls = 0; calls < MAX; calls++) {
    const looked = await ask.get('/guess').expect(200)
    expect(looked.headers).not.toHaveProperty('x-ratelimit-limit')
    await shown('/sign-up')
  }
  expect(await shown('/guess')).toEqual([429, MAX, 0])
})

test('what asks the store itself counts with the routes', async () => {
  const { shown, limits } = open()
  await shown('/sign-up')
  const asked = await limits.count([{ limit: 'registrations', by: '::ffff:127.0.0.1' }])
  expect(asked).toMatchObject({ remaining: MAX - 2, isExceeded: false })
  expect(await shown('/sign-up')).toEqual([200, MAX, MAX - 3])
})

test('limits that are off count nothing', async () => {
  const { shown, limits } = open({ isOn: false })
  for (let calls = 0; calls < 2 * MAX; calls++) expect(await shown('/sign-up')).toEqual([200, Number.NaN, Number.NaN])
  expect(await limits.count([{ limit: 'registrations', by: '127.0.0.1' }])).toBeUndefined()
})
