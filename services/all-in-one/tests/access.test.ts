import { holds, PERMISSIONS, ROLES, type RoleName } from '@rookery/contracts/permissions'
import { endpoints } from '@rookery/gateway'
import { type Answer, type Asking, ask, EVERY_SCOPE, STAFF_SCOPES, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Access to every endpoint, for every kind of caller (spec, Errors 1 and Authentication; beyond-the-spec 1.3, 1.4). Access to records is in
// access-records.test.ts.

/** The scopes of a usual client, and of one that only needs to know who signs in. */
const ALL_SCOPES = `${EVERY_SCOPE} profile`

type Endpoint = (typeof endpoints)[number]

let world: World
/** Tokens by kind of caller; those of people by their scopes, after the role if they have one. */
const tokens = new Map<string, string>()
let people = 0

/** A token of a person with only these scopes. */
const personToken = async (scopes: string, role: RoleName = 'user') => {
  const username = `person_${++people}`
  const account = { username, email: `${username}@example.org`, password: 'a password', role }
  const { accessToken } = await world.operator().createAccount(innerCall(), { ...account, confirmed: true, tokenScopes: scopes })
  tokens.set(role === 'user' ? scopes : `${role} ${scopes}`, accessToken)
  return { username, accessToken }
}

const signUp = async (username: string): Promise<string> => {
  const person = { username, email: `${username}@example.org`, password: 'a password', agreement: true, locale: 'en', reason: 'tea' }
  return (await world.asks('POST', '/api/v1/accounts', { token: tokens.get('app'), body: person })).body.access_token
}

const umbrellasOf = (scope: string): string[] => {
  const [verb, thing = '', what] = scope.split(':')
  if (verb === 'admin') return what ? [`admin:${thing}`] : []
  if (!thing) return []
  return [verb!, ...(['blocks', 'follows', 'mutes'].includes(thing) ? ['follow'] : [])]
}

beforeAll(async () => {
  world = await World.open({ settings: { REGISTRATIONS: 'approval', CONFIRMATION: 'mail', SMTP_URL: 'smtp://127.0.0.1:1' } })
  tokens.set('app', await world.appToken(EVERY_SCOPE))
  tokens.set('app without scopes', await world.appToken('push'))
  const [forStaff, forOthers] = [true, false].map((isForStaff) =>
    endpoints
      .filter(({ access }) => (access.kind === 'staff') === isForStaff)
      .flatMap(({ access }) => access.scopes.flatMap((scope) => [scope, ...umbrellasOf(scope)])),
  )
  const roles = Object.keys(ROLES) as RoleName[]
  await Promise.all([
    ...[...new Set([EVERY_SCOPE, ALL_SCOPES, 'push', 'admin:read', ...forOthers!])].map((scopes) => personToken(scopes)),
    ...roles.map((role) => personToken(STAFF_SCOPES, role)),
    ...[...new Set(['push', ...forStaff!])].map((scopes) => personToken(scopes, 'owner')),
  ])

  const revoked = await personToken(ALL_SCOPES)
  await world.operator().revokeToken(innerCall(), { accessToken: revoked.accessToken })
  tokens.set('revoked', revoked.accessToken)
  const disabled = await personToken(EVERY_SCOPE)
  await world.operator().setDisabled(innerCall(), { username: disabled.username, isDisabled: true })
  tokens.set('disabled', disabled.accessToken)
  tokens.set('unconfirmed', await signUp('unconfirmed'))
  tokens.set('pending', await signUp('pending'))
  // As if they opened the link in the mail.
  await query(world, `update auth.login set confirmed_at = now() where email = 'pending@example.org'`)
  await Promise.all([personToken(EVERY_SCOPE), personToken(ALL_SCOPES)])
})
afterAll(() => world.close())

const UNKNOWN = [401, 'The access token is invalid']
const REVOKED = [401, 'The access token was revoked']
const NO_PERSON = [422, 'This API requires an authenticated user']
const NO_SCOPE = [403, 'This action is outside the authorized scopes']
const NOT_ALLOWED = [403, 'This action is not allowed']

const askEndpoint = ({ method, path }: Endpoint, token: string | undefined, asking: Asking = {}): Promise<Answer> =>
  ask(world.origin, method, path.replace(/:\w+/g, '1'), { token, ...asking })

const isRefusal = ({ status, body }: Answer) =>
  [UNKNOWN, REVOKED, NO_PERSON, NO_SCOPE, NOT_ALLOWED].some(([code, error]) => code === status && error === body.error) ||
  (status === 403 && /^Your login/.test(body.error))

/** Expects that a caller is admitted, or gets this refusal. */
const expectAccess = async (endpoint: Endpoint, who: string, token: string | undefined, refusal?: (string | number)[]) => {
  const answer = await askEndpoint(endpoint, token)
  if (refusal) expect({ who, refused: [answer.status, answer.body.error] }).toEqual({ who, refused: refusal })
  else expect({ who, isRefused: isRefusal(answer), status: answer.status }).toMatchObject({ who, isRefused: false })
  expect(answer.status).not.toBe(500)
  const challenge = answer.headers.get('www-authenticate')
  if (answer.status === 401) expect(challenge).toMatch(/^Bearer /)
  else expect(challenge).toBeNull()
}

const named = (some: readonly Endpoint[]) => some.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

describe.each(named(endpoints.filter(({ access }) => access.kind === 'staff')))('%s', (_name, endpoint) => {
  const { permission = 0, scopes } = endpoint.access

  test('without a person’s token', async () => {
    await expectAccess(endpoint, 'nobody', undefined, NOT_ALLOWED)
    await expectAccess(endpoint, 'unknown', 'x'.repeat(43), NOT_ALLOWED)
    await expectAccess(endpoint, 'app', tokens.get('app'), NOT_ALLOWED)
    await expectAccess(endpoint, 'revoked', tokens.get('revoked'), REVOKED)
  })
  test.each(Object.keys(ROLES) as RoleName[])('with the token of someone whose role is %s', async (role) => {
    const token = tokens.get(role === 'user' ? STAFF_SCOPES : `${role} ${STAFF_SCOPES}`)
    await expectAccess(endpoint, role, token, holds(ROLES[role].permissions, permission) ? undefined : NOT_ALLOWED)
  })
  test('with and without the scope', async () => {
    for (const scope of scopes.flatMap((each) => [each, ...umbrellasOf(each)])) {
      await expectAccess(endpoint, scope, tokens.get(`owner ${scope}`))
    }
    await expectAccess(endpoint, 'an owner without the scope', tokens.get('owner push'), NO_SCOPE)
  })
})

describe.each(named(endpoints.filter(({ access }) => access.kind !== 'staff')))('%s', (_name, endpoint) => {
  const { kind, scopes } = endpoint.access
  const isForPeople = kind === 'user'
  const isForApps = kind === 'app'
  const isOpen = kind === 'public'

  test('without a token', () => expectAccess(endpoint, 'nobody', undefined, isOpen ? undefined : UNKNOWN))
  test('with a token no one issued', () => expectAccess(endpoint, 'unknown', 'x'.repeat(43), UNKNOWN))
  test('with a revoked token', () => expectAccess(endpoint, 'revoked', tokens.get('revoked'), REVOKED))
  test('with an app’s token', async () => {
    await expectAccess(endpoint, 'app', tokens.get('app'), isForPeople ? NO_PERSON : undefined)
    const refusal = isForPeople ? NO_PERSON : scopes.length > 0 ? NO_SCOPE : undefined
    await expectAccess(endpoint, 'app without the scope', tokens.get('app without scopes'), refusal)
  })
  test('with a person’s token', async () => {
    const forEveryPerson = isForApps ? UNKNOWN : undefined
    const refusal = forEveryPerson ?? (scopes.length > 0 ? NO_SCOPE : undefined)
    const other = scopes.includes('push') ? 'admin:read' : 'push'
    await expectAccess(endpoint, 'a person without the scope', tokens.get(other), refusal)
    await expectAccess(endpoint, 'a person with other scopes', tokens.get('admin:read'), refusal)
    for (const scope of scopes.flatMap((each) => [each, ...umbrellasOf(each)])) {
      await expectAccess(endpoint, scope, tokens.get(scope), forEveryPerson)
    }
    await expectAccess(endpoint, 'a person with every scope', tokens.get(ALL_SCOPES), forEveryPerson)
  })
  test('with the token of someone who may not sign in', async () => {
    const isForAll = kind === 'any-token'
    const refused = (text: string, isLetIn = isForAll || endpoint.access.isForNewcomers) =>
      isForApps ? UNKNOWN : isLetIn ? undefined : [403, text]
    await expectAccess(endpoint, 'disabled', tokens.get('disabled'), refused('Your login is currently disabled', isForAll))
    await expectAccess(endpoint, 'unconfirmed', tokens.get('unconfirmed'), refused('Your login is missing a confirmed e-mail address'))
    await expectAccess(endpoint, 'pending', tokens.get('pending'), refused('Your login is currently pending approval'))
  })
})

test.each<[string, Endpoint['access']['kind'], string]>([
  ['POST /api/v1/statuses', 'user', 'write:statuses'],
  ['GET /api/v1/statuses/:id', 'public', 'read:statuses'],
  ['DELETE /api/v1/statuses/:id', 'user', 'write:statuses'],
  ['GET /api/v1/statuses/:id/context', 'public', 'read:statuses'],
  ['GET /api/v1/statuses/:id/reblogged_by', 'public', 'read:statuses'],
  ['GET /api/v1/statuses/:id/favourited_by', 'public', 'read:statuses'],
  ['POST /api/v1/statuses/:id/favourite', 'user', 'write:favourites'],
  ['POST /api/v1/statuses/:id/unfavourite', 'user', 'write:favourites'],
  ['POST /api/v1/statuses/:id/reblog', 'user', 'write:statuses'],
  ['POST /api/v1/statuses/:id/unreblog', 'user', 'write:statuses'],
  ['POST /api/v1/statuses/:id/bookmark', 'user', 'write:bookmarks'],
  ['POST /api/v1/statuses/:id/unbookmark', 'user', 'write:bookmarks'],
  ['POST /api/v1/statuses/:id/translate', 'app-or-user', 'read:statuses'],
  ['GET /api/v1/instance/translation_languages', 'public', ''],
  ['POST /api/v1/statuses/:id/mute', 'user', 'write:mutes'],
  ['POST /api/v1/statuses/:id/unmute', 'user', 'write:mutes'],
  ['GET /api/v1/favourites', 'user', 'read:favourites'],
  ['GET /api/v1/bookmarks', 'user', 'read:bookmarks'],
  ['GET /api/v1/timelines/public', 'public', 'read:statuses'],
  ['GET /api/v1/timelines/tag/:hashtag', 'public', 'read:statuses'],
  ['GET /api/v1/timelines/home', 'user', 'read:statuses'],
  ['GET /api/v1/timelines/link', 'public', 'read:statuses'],
  ['GET /api/v1/trends', 'public', ''],
  ['GET /api/v1/trends/tags', 'public', ''],
  ['GET /api/v1/trends/statuses', 'public', ''],
  ['GET /api/v1/trends/links', 'public', ''],
  ['GET /api/v1/scheduled_statuses', 'user', 'read:statuses'],
  ['GET /api/v1/scheduled_statuses/:id', 'user', 'read:statuses'],
  ['PUT /api/v1/scheduled_statuses/:id', 'user', 'write:statuses'],
  ['DELETE /api/v1/scheduled_statuses/:id', 'user', 'write:statuses'],
  ['POST /api/v2/media', 'user', 'write:media'],
  ['POST /api/v1/media', 'user', 'write:media'],
  ['GET /api/v1/media/:id', 'user', 'write:media'],
  ['PUT /api/v1/media/:id', 'user', 'write:media'],
  ['GET /api/v1/notifications', 'user', 'read:notifications'],
  ['GET /api/v1/notifications/:id', 'user', 'read:notifications'],
  ['POST /api/v1/notifications/clear', 'user', 'write:notifications'],
  ['POST /api/v1/notifications/:id/dismiss', 'user', 'write:notifications'],
  ['POST /api/v1/accounts', 'app', 'write:accounts'],
  ['GET /api/v1/accounts/verify_credentials', 'user', 'read:accounts profile'],
  ['PATCH /api/v1/accounts/update_credentials', 'user', 'write:accounts'],
  ['DELETE /api/v1/profile/avatar', 'user', 'write:accounts'],
  ['DELETE /api/v1/profile/header', 'user', 'write:accounts'],
  ['POST /api/v1/reports', 'user', 'write:reports'],
  ['GET /api/v1/accounts/:id', 'public', 'read:accounts'],
  ['GET /api/v1/accounts/lookup', 'public', 'read:accounts'],
  ['GET /api/v1/accounts/:id/statuses', 'public', 'read:statuses'],
  ['GET /api/v1/accounts/:id/followers', 'public', 'read:accounts'],
  ['GET /api/v1/accounts/:id/following', 'public', 'read:accounts'],
  ['GET /api/v1/accounts/relationships', 'user', 'read:follows'],
  ['POST /api/v1/accounts/:id/follow', 'user', 'write:follows'],
  ['POST /api/v1/accounts/:id/unfollow', 'user', 'write:follows'],
  ['POST /api/v1/accounts/:id/block', 'user', 'write:blocks'],
  ['POST /api/v1/accounts/:id/unblock', 'user', 'write:blocks'],
  ['POST /api/v1/accounts/:id/mute', 'user', 'write:mutes'],
  ['POST /api/v1/accounts/:id/unmute', 'user', 'write:mutes'],
  ['GET /api/v1/follow_requests', 'user', 'read:follows'],
  ['POST /api/v1/follow_requests/:id/authorize', 'user', 'write:follows'],
  ['POST /api/v1/follow_requests/:id/reject', 'user', 'write:follows'],
  ['GET /api/v1/blocks', 'user', 'read:blocks'],
  ['GET /api/v1/mutes', 'user', 'read:mutes'],
  ['GET /api/v1/lists', 'user', 'read:lists'],
  ['POST /api/v1/lists', 'user', 'write:lists'],
  ['GET /api/v1/lists/:id', 'user', 'read:lists'],
  ['PUT /api/v1/lists/:id', 'user', 'write:lists'],
  ['DELETE /api/v1/lists/:id', 'user', 'write:lists'],
  ['GET /api/v1/lists/:id/accounts', 'user', 'read:lists'],
  ['POST /api/v1/lists/:id/accounts', 'user', 'write:lists'],
  ['DELETE /api/v1/lists/:id/accounts', 'user', 'write:lists'],
  ['GET /api/v1/accounts/:id/lists', 'user', 'read:lists'],
  ['GET /api/v1/tags/:name', 'public', ''],
  ['POST /api/v1/tags/:name/follow', 'user', 'write:follows'],
  ['POST /api/v1/tags/:name/unfollow', 'user', 'write:follows'],
  ['POST /api/v1/tags/:name/feature', 'user', 'write:accounts'],
  ['POST /api/v1/tags/:name/unfeature', 'user', 'write:accounts'],
  ['GET /api/v1/followed_tags', 'user', 'read:follows'],
  ['GET /api/v1/announcements', 'user', ''],
  ['POST /api/v1/announcements/:id/dismiss', 'user', 'write:accounts'],
  ['PUT /api/v1/announcements/:id/reactions/:name', 'user', 'write:favourites'],
  ['DELETE /api/v1/announcements/:id/reactions/:name', 'user', 'write:favourites'],
  ['GET /api/v1/featured_tags', 'user', 'read:accounts'],
  ['POST /api/v1/featured_tags', 'user', 'write:accounts'],
  ['DELETE /api/v1/featured_tags/:id', 'user', 'write:accounts'],
  ['GET /api/v1/featured_tags/suggestions', 'user', 'read:accounts'],
  ['GET /api/v1/markers', 'user', 'read:statuses'],
  ['POST /api/v1/markers', 'user', 'write:statuses'],
  ['GET /api/v1/preferences', 'user', 'read:accounts'],
  ['GET /api/v1/notifications/unread_count', 'user', 'read:notifications'],
  ['GET /api/v2/filters', 'user', 'read:filters'],
  ['GET /api/v2/filters/:id', 'user', 'read:filters'],
  ['POST /api/v2/filters', 'user', 'write:filters'],
  ['PUT /api/v2/filters/:id', 'user', 'write:filters'],
  ['DELETE /api/v2/filters/:id', 'user', 'write:filters'],
  ['GET /api/v2/filters/:filter_id/keywords', 'user', 'read:filters'],
  ['POST /api/v2/filters/:filter_id/keywords', 'user', 'write:filters'],
  ['GET /api/v2/filters/keywords/:id', 'user', 'read:filters'],
  ['PUT /api/v2/filters/keywords/:id', 'user', 'write:filters'],
  ['DELETE /api/v2/filters/keywords/:id', 'user', 'write:filters'],
  ['GET /api/v2/filters/:filter_id/statuses', 'user', 'read:filters'],
  ['POST /api/v2/filters/:filter_id/statuses', 'user', 'write:filters'],
  ['GET /api/v2/filters/statuses/:id', 'user', 'read:filters'],
  ['DELETE /api/v2/filters/statuses/:id', 'user', 'write:filters'],
  ['GET /api/v1/filters', 'user', 'read:filters'],
  ['GET /api/v1/filters/:id', 'user', 'read:filters'],
  ['POST /api/v1/filters', 'user', 'write:filters'],
  ['PUT /api/v1/filters/:id', 'user', 'write:filters'],
  ['DELETE /api/v1/filters/:id', 'user', 'write:filters'],
  ['POST /api/v1/apps', 'public', ''],
  ['GET /api/v1/apps/verify_credentials', 'any-token', ''],
  ['GET /api/v2/instance', 'public', ''],
  ['GET /api/v1/instance', 'public', ''],
  ['GET /api/v1/instance/peers', 'public', ''],
  ['GET /api/v1/instance/activity', 'public', ''],
  ['GET /api/v1/instance/rules', 'public', ''],
  ['GET /api/v1/instance/domain_blocks', 'public', ''],
  ['GET /api/v1/instance/extended_description', 'public', ''],
  ['GET /api/v1/admin/domain_blocks', 'staff', 'admin:read:domain_blocks'],
  ['GET /api/v1/admin/domain_blocks/:id', 'staff', 'admin:read:domain_blocks'],
  ['POST /api/v1/admin/domain_blocks', 'staff', 'admin:write:domain_blocks'],
  ['PUT /api/v1/admin/domain_blocks/:id', 'staff', 'admin:write:domain_blocks'],
  ['DELETE /api/v1/admin/domain_blocks/:id', 'staff', 'admin:write:domain_blocks'],
  ['GET /api/v1/admin/domain_allows', 'staff', 'admin:read:domain_allows'],
  ['GET /api/v1/admin/domain_allows/:id', 'staff', 'admin:read:domain_allows'],
  ['POST /api/v1/admin/domain_allows', 'staff', 'admin:write:domain_allows'],
  ['DELETE /api/v1/admin/domain_allows/:id', 'staff', 'admin:write:domain_allows'],
  ['POST /api/v1/admin/measures', 'staff', 'admin:read'],
  ['POST /api/v1/admin/dimensions', 'staff', 'admin:read'],
  ['POST /api/v1/admin/retention', 'staff', 'admin:read'],
  ['GET /api/v1/admin/tags', 'staff', 'admin:read'],
  ['GET /api/v1/admin/tags/:id', 'staff', 'admin:read'],
  ['PUT /api/v1/admin/tags/:id', 'staff', 'admin:write'],
  ['GET /api/v1/admin/trends/tags', 'staff', 'admin:read'],
  ['GET /api/v1/admin/trends/links', 'staff', 'admin:read'],
  ['GET /api/v1/admin/trends/links/publishers', 'staff', 'admin:read'],
  ['POST /api/v1/admin/trends/links/publishers/:id/approve', 'staff', 'admin:write'],
  ['POST /api/v1/admin/trends/links/publishers/:id/reject', 'staff', 'admin:write'],
  ['GET /api/v1/admin/trends/statuses', 'staff', 'admin:read'],
  ['POST /api/v1/admin/trends/tags/:id/approve', 'staff', 'admin:write'],
  ['POST /api/v1/admin/trends/tags/:id/reject', 'staff', 'admin:write'],
  ['POST /api/v1/admin/trends/links/:id/approve', 'staff', 'admin:write'],
  ['POST /api/v1/admin/trends/links/:id/reject', 'staff', 'admin:write'],
  ['POST /api/v1/admin/trends/statuses/:id/approve', 'staff', 'admin:write'],
  ['POST /api/v1/admin/trends/statuses/:id/reject', 'staff', 'admin:write'],
])('%s is for %s with %j', (name, kind, scopes) => {
  const { access } = endpoints.find(({ method, path }) => `${method} ${path}` === name)!
  expect({ kind: access.kind, scopes: access.scopes.join(' ') }).toEqual({ kind, scopes })
})

test('domains are for those who may manage federation', () => {
  const about = endpoints.filter(({ path }) => /^.api.v1.admin.domain_/.test(path))
  expect(about.map(({ access }) => access.permission)).toEqual(Array(9).fill(PERMISSIONS.manageFederation))
})

test('trends and tags are for those who may manage taxonomies', () => {
  const about = endpoints.filter(({ path }) => /^.api.v1.admin.(trends|tags)/.test(path))
  expect(about.map(({ access }) => access.permission)).toEqual(Array(15).fill(PERMISSIONS.manageTaxonomies))
})

describe('a token', () => {
  test('may be a parameter of the address; the header outweighs it', async () => {
    const good = tokens.get(EVERY_SCOPE)!
    const path = '/api/v1/accounts/verify_credentials'
    expect((await world.get(`${path}?access_token=${good}`)).status).toBe(200)
    expect((await world.get(`${path}?access_token=${'x'.repeat(43)}`)).status).toBe(401)
    const both = await world.asks('GET', `${path}?access_token=${good}`, { token: 'x'.repeat(43) })
    expect(both.status).toBe(401)
  })

  test.each(['Bearer', 'bearer', 'BEARER'])('is sent behind the word %s', async (word) => {
    const headers = { authorization: `${word} ${tokens.get(EVERY_SCOPE)}` }
    expect((await world.asks('GET', '/api/v1/accounts/verify_credentials', { headers })).status).toBe(200)
  })

  test('works no more from the moment it is revoked', async () => {
    const { accessToken } = await personToken('read write')
    expect((await world.asks('GET', '/api/v1/timelines/home', { token: accessToken })).status).toBe(200)
    await world.operator().revokeToken(innerCall(), { accessToken })
    expect((await world.asks('GET', '/api/v1/timelines/home', { token: accessToken })).status).toBe(401)
  })
})
