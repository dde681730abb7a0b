import { endpoints } from '@rookery/gateway'
import { type Answer, ask, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BODIES,
  type Cast,
  type Endpoint,
  NO_RECORDS,
  NO_REFERENCES,
  OWNER_STATUS,
  PARAMETERS,
  pathTo,
  RECORDS,
  recordOf,
} from './owned-records.ts'

// Every route, with every record that its path or parameters name, and every kind of caller: another's record and a missing one get the
// same answer (spec, Errors 6). The routes are those of the router, so a new one fails until owned-records.ts says what it names.

let world: World
let cast: Cast
/** Tokens without access to any record. */
const tokens: Record<'app' | 'disabled' | 'scopeless', string> = { app: '', disabled: '', scopeless: '' }

beforeAll(async () => {
  world = await World.open()
  cast = { world, ...(await world.cast('owner', 'other', 'friend')), staff: await world.owner('staff') }
  for (const person of [cast.owner, cast.other]) await person.follows(cast.friend)
  tokens.app = await world.appToken()
  tokens.scopeless = (await world.person('scopeless', { scopes: 'push' })).token
  tokens.disabled = (await world.person('disabled')).token
  await world.operator().setDisabled(innerCall(), { username: 'disabled', isDisabled: true })
})
afterAll(() => world.close())

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const recordPath = ({ path }: Endpoint) => path.slice(0, path.indexOf(':') + path.slice(path.indexOf(':')).split('/', 1)[0]!.length)
const answerText = ({ status, text }: Answer) => `${status} ${text}`
const NOT_FOUND = '404 {"error":"Record not found"}'

/** Ids of missing records, similar to real ones, and invalid ids. */
const missingId = () => String((BigInt(world.clock.now()) << 16n) + 12_345n)
const MALFORMED = ['0', 'x', '-1', '1.5', '00', "1'", '9'.repeat(19), '9'.repeat(40)]

const withParameter = endpoints.filter(({ path }) => path.includes(':') && !NO_RECORDS.includes(recordPath({ path } as Endpoint)))

test('every path with a parameter says what it names', () => {
  const unknown = withParameter.filter((endpoint) => !recordOf(endpoint)).map(nameOf)
  expect(unknown, 'Routes that tests/owned-records.ts does not know: say there whose records their paths name').toEqual([])
  const known = new Set(endpoints.flatMap((endpoint) => [recordPath(endpoint), nameOf(endpoint)]))
  expect([...Object.keys(RECORDS), ...NO_RECORDS].filter((path) => !known.has(path))).toEqual([])
})

/** Records of staff belong to no one. */
const owned = withParameter.filter(({ access }) => access.kind !== 'staff')

describe.each(owned.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (name, endpoint) => {
  const { kind } = endpoint.access
  const named = recordOf(endpoint)!
  const asks = async (id: string, token: string | undefined, body?: object) => {
    const hasBody = body && endpoint.method !== 'GET'
    return ask(world.origin, endpoint.method, pathTo(endpoint, id), {
      token,
      ...(hasBody ? { body } : {}),
    })
  }

  test('tells no one whether another’s record is there', async () => {
    const id = await named.build(cast)
    const body = await BODIES[name]?.(cast)
    const missing = missingId()
    const compared = async (who: string, token: string | undefined, expected: string | RegExp) => {
      const answers = { missing: answerText(await asks(missing, token, body)), anothers: answerText(await asks(id, token, body)) }
      expect({ who, answer: answers.missing }).toEqual({ who, answer: expect.stringMatching(expected) })
      if (!named.isOpen || !answers.missing.startsWith('404'))
        expect({ who, ...answers }).toEqual({ who, missing: answers.missing, anothers: answers.missing })
    }
    const exactly = (text: string) => new RegExp(`^${RegExp.escape(text)}$`)
    await compared('another person', cast.other.token, exactly(NOT_FOUND))
    await compared('nobody', undefined, kind === 'public' ? exactly(NOT_FOUND) : /^401 /)
    await compared('an app', tokens.app, kind === 'user' ? /^422 .*requires an authenticated user/ : exactly(NOT_FOUND))
    await compared(
      'a token without the scope',
      tokens.scopeless,
      endpoint.access.scopes.length > 0 ? /^403 .*outside the authorized/ : exactly(NOT_FOUND),
    )
    await compared('someone who may not sign in', tokens.disabled, /^403 .*currently disabled/)
    for (const malformed of MALFORMED) {
      expect({ malformed, answer: answerText(await asks(malformed, cast.other.token, body)) }).toEqual({ malformed, answer: NOT_FOUND })
    }
    // The attempts of the others left it unchanged.
    const answer = await asks(id, cast.owner.token, body)
    expect([answer.status, answer.text]).toEqual([OWNER_STATUS[name] ?? expect.toSatisfy((status: number) => status < 300), answer.text])
  })
})

const looksLikeReference = (parameter: string) => /(^|_)(ids?|attributes)$/.test(parameter) && !NO_REFERENCES.includes(parameter)
const referring = endpoints.flatMap((endpoint) =>
  [...endpoint.parameters]
    .filter(looksLikeReference)
    .map((parameter) => ({ endpoint, parameter, name: `${nameOf(endpoint)} ${parameter}` })),
)
const referredBy = ({ name, parameter }: { name: string; parameter: string }) => PARAMETERS[name] ?? PARAMETERS[parameter]

test('every parameter that takes an id says what it names', () => {
  const unknown = referring.filter((each) => !referredBy(each)).map(({ name }) => name)
  expect(unknown, 'Parameters that tests/owned-records.ts does not know: say there whose records they name').toEqual([])
})

/** Ids of records that do not belong to the changed record, or to the caller, are ignored. */
const IGNORED = [
  'media_attributes',
  'DELETE /api/v1/notifications/destroy_multiple ids',
  'POST /api/v1/notifications/requests/accept id',
  'POST /api/v1/notifications/requests/dismiss id',
]

const hidden = referring.filter((each) => referredBy(each)?.isOpen === undefined)
test.each(hidden.map((each) => [each.name, each] as const))('%s tells no one whether another’s record is there', async (name, given) => {
  const { endpoint, parameter } = given
  const { build, wrap, read: place = '/api/v1/statuses' } = referredBy(given)!
  const id = await build(cast)
  const missing = missingId()
  // The record of the path, if any, is the caller's own.
  const own = recordOf(endpoint)
  const swapped: Cast = { ...cast, owner: cast.other, other: cast.owner }
  const path = own && endpoint.path.includes(':') ? endpoint.path.replace(/:\w+/, await own.build(swapped)) : endpoint.path
  const body = { ...(await BODIES[nameOf(endpoint)]?.(cast)) }
  const asks = async (named: string) => {
    const values = { ...body, [parameter]: wrap(named) }
    const isRead = endpoint.method === 'GET'
    const query = isRead ? `?${parameter}[]=${named}` : ''
    const answer = await ask(world.origin, endpoint.method, path + query, { token: cast.other.token, ...(isRead ? {} : { body: values }) })
    return answerText(answer).replaceAll(named, 'ID')
  }
  const read = async () => answerText(await cast.owner.get(`${place}/${id}`))
  const before = await read()
  const answers = { missing: await asks(missing), anothers: await asks(id) }
  expect(answers.anothers).toBe(answers.missing)
  expect(answers.anothers).toMatch(
    endpoint.method === 'GET'
      ? /^200 \[\]$/
      : IGNORED.some((ignored) => ignored === parameter || ignored === name)
        ? /^200 /
        : /^4(04|22) /,
  )
  expect([before.slice(0, 4), await read()]).toEqual(['200 ', before])
})

const forStaff = withParameter.filter(({ access }) => access.kind === 'staff')
test.each(forStaff.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s is not found where there is no such record',
  async (name, endpoint) => {
    const body = await BODIES[name]?.(cast)
    for (const id of [missingId(), ...MALFORMED]) {
      const path = endpoint.path.replace(/:\w+/, encodeURIComponent(id))
      const answer = await ask(world.origin, endpoint.method, path, { token: cast.staff.token, ...(body ? { body } : {}) })
      expect({ id, answer: answerText(answer) }).toEqual({ id, answer: NOT_FOUND })
    }
  },
)
