import { endpoints } from '@rookery/gateway'
import { type RawRequest, send } from '@rookery/test-world/raw-request'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BadInputHarness, FORM, JSON_TYPE, json, MAX_CPU, openBadInput, PROFILE, post } from './bad-input.ts'

// Invalid parameters, ids and tokens.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

const MUTE = '/api/v1/accounts/SELF/mute'

describe('a parameter', () => {
  test.each<[string, RawRequest, number, string | RegExp]>([
    ['text is missing', json({}), 422, "Validation failed: Text can't be blank"],
    ['text is blank', json({ status: ' \n\t ' }), 422, "Validation failed: Text can't be blank"],
    ['text is a list', json({ status: ['tea'] }), 422, "Validation failed: Text can't be blank"],
    ['text is a hash', json({ status: { a: 1 } }), 422, "Validation failed: Text can't be blank"],
    ['text is too long', json({ status: 'x'.repeat(501) }), 422, 'Validation failed: Text character limit of 500 exceeded'],
    [
      'a warning is too long',
      json({ status: 'x', spoiler_text: 'x'.repeat(500) }),
      422,
      'Validation failed: Text character limit of 500 exceeded',
    ],
    ['a visibility is unknown', json({ status: 'x', visibility: 'tea' }), 422, 'Validation failed: Visibility is not included in the list'],
    ['a visibility is a name all objects have', json({ status: 'x', visibility: 'constructor' }), 422, /^Validation failed: Visibility/],
    ['a reply’s id is none', json({ status: 'x', in_reply_to_id: 'abc' }), 422, 'Validation failed: in_reply_to_id is not a valid id'],
    ['a reply’s id is beyond 64 bits', json({ status: 'x', in_reply_to_id: '9'.repeat(19) }), 422, /in_reply_to_id is not a valid id$/],
    [
      'a reply’s id leads nowhere',
      json({ status: 'x', in_reply_to_id: '1' }),
      404,
      'The post you are trying to reply to does not appear to exist.',
    ],
    [
      'media ids are none',
      json({ status: 'x', media_ids: ['abc', '%'] }),
      422,
      'Media abc, % not found or already attached to another post',
    ],
    [
      'media ids lead nowhere',
      json({ status: 'x', media_ids: ['1', '2'] }),
      422,
      'Media 1, 2 not found or already attached to another post',
    ],
    ['media ids are too many', json({ status: 'x', media_ids: ['1', '2', '3', '4', '5'] }), 422, 'Cannot attach more than 4 files'],
    [
      'a privacy is unknown',
      json({ source: { privacy: 'tea' } }, PROFILE, 'PATCH'),
      422,
      'Validation failed: Privacy is not included in the list',
    ],
    [
      'a privacy is a name all objects have',
      json({ source: { privacy: 'toString' } }, PROFILE, 'PATCH'),
      422,
      /^Validation failed: Privacy/,
    ],
    ['a name is too long', json({ display_name: 'x'.repeat(31) }, PROFILE, 'PATCH'), 422, /^Validation failed: Display name is too long/],
    ['a note is too long', json({ note: 'x'.repeat(501) }, PROFILE, 'PATCH'), 422, /^Validation failed: Note is too long/],
    [
      'fields are too many',
      json({ fields_attributes: Array(5).fill({ name: 'a', value: 'b' }) }, PROFILE, 'PATCH'),
      422,
      /^Validation failed: Fields/,
    ],
    [
      'a field is too long',
      json({ fields_attributes: [{ name: 'a', value: 'x'.repeat(256) }] }, PROFILE, 'PATCH'),
      422,
      /^Validation failed: Fields/,
    ],
    [
      'an avatar’s address is text',
      json({ avatar: 'https://a.example/b.png', display_name: 'x'.repeat(31) }, PROFILE, 'PATCH'),
      422,
      /Display name/,
    ],
    [
      'an avatar that came as data is no picture',
      json({ avatar: 'data:image/png;base64,AAAA' }, PROFILE, 'PATCH'),
      422,
      /^Validation failed: File/,
    ],
    ['a handle is missing', { path: '/api/v1/accounts/lookup' }, 400, 'param is missing or the value is empty: acct'],
    ['a handle leads nowhere', { path: `/api/v1/accounts/lookup?acct=${'x'.repeat(9000)}` }, 404, 'Record not found'],
    ['a resource is missing', { path: '/.well-known/webfinger' }, 400, 'param is missing or the value is empty: resource'],
    ['a resource is none', { path: '/.well-known/webfinger?resource=tea' }, 400, /resource/],
    [
      'a notification’s account is no id',
      { path: '/api/v1/notifications?account_id=x' },
      422,
      'Validation failed: account_id is not a valid id',
    ],
    ['an app has no name', json({ redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' }, '/api/v1/apps'), 422, /^Validation failed: /],
    [
      'an app’s address is none',
      json({ client_name: 'x', redirect_uris: ['tea', {}] }, '/api/v1/apps'),
      422,
      /^Validation failed: Redirect URI must be an absolute URI/,
    ],
    [
      'an app’s address is a script',
      json({ client_name: 'x', redirect_uris: 'javascript:alert(1)' }, '/api/v1/apps'),
      422,
      /^Validation failed: Redirect URI/,
    ],
    [
      'an app’s scope is unknown',
      json({ client_name: 'x', redirect_uris: 'x://y', scopes: 'tea' }, '/api/v1/apps'),
      422,
      /^Validation failed: Scopes/,
    ],
    [
      'an app’s name is too long',
      json({ client_name: 'x'.repeat(10_000), redirect_uris: 'x://y' }, '/api/v1/apps'),
      422,
      /^Validation failed: /,
    ],
    ['a mute would end before now', json({ duration: -5 }, MUTE), 422, 'Validation failed: Duration must be greater than or equal to 0'],
    ['a mute’s duration is no number', json({ duration: 'abc' }, MUTE), 422, 'Validation failed: Duration is not a number'],
    [
      'a poll’s end is no number',
      json({ status: 'x', poll: { expires_in: 'abc' } }),
      422,
      "Validation failed: Choices must have more than one item, Deadline can't be blank",
    ],
    ['one follows oneself', { method: 'POST', path: '/api/v1/accounts/SELF/follow' }, 403, 'This action is not allowed'],
    ['one follows oneself by another spelling', { method: 'POST', path: '/api/v1/accounts/0SELF/follow' }, 404, 'Record not found'],
  ])('is refused when %s', async (_case, request, status, error) => {
    await harness.refused({ ...request, path: request.path.replace('SELF', harness.mara.id) }, status, error)
  })

  test.each<[string, RawRequest]>([
    ['a duration beyond every clock', json({ duration: Number.MAX_SAFE_INTEGER }, '/api/v1/accounts/JOEL/mute')],
    ['a duration beyond every number', post(`duration=${'9'.repeat(400)}`, FORM, '/api/v1/accounts/JOEL/mute')],
    ['hashes where words are meant', post('languages[x][y]=1&reblogs[z]=1&notify[]=1', FORM, '/api/v1/accounts/JOEL/follow')],
    [
      'lists and hashes where flags are meant',
      json({ locked: [], bot: { a: {} }, fields_attributes: [[], 'a', 1, { name: {}, value: [] }] }, PROFILE, 'PATCH'),
    ],
    ['words where hashes are meant', json({ source: 'privacy', fields_attributes: 'name' }, PROFILE, 'PATCH')],
    ['an unknown grouping', { path: '/api/v1/notifications?types[a][b]=mention&exclude_types=1&limit[]=3' }],
    ['a hash of ids', { path: '/api/v1/accounts/relationships?id[a][b]=1&id[c]=JOEL' }],
    ['a language that is none', json({ status: 'x', language: 'klingon please' })],
    ['a token in a list', { path: '/api/v1/timelines/public?access_token[]=x' }],
    ['cursors in a list', { path: '/api/v1/timelines/home?max_id[]=x&min_id[a]=1' }],
    [
      'a parameter that a header could not hold',
      { path: '/api/v1/timelines/public?%0d%0aSet-Cookie:%20a=1&%E2%82%AC=1&%3E=1&local=%0d%0a%E2%82%AC' },
    ],
    [
      'a key for repeats of thousands of characters',
      { ...json({ status: 'once' }), headers: { ...JSON_TYPE, 'idempotency-key': 'x'.repeat(5000) } },
    ],
    ['a key for repeats of any bytes', { ...json({ status: 'once' }), headers: { ...JSON_TYPE, 'idempotency-key': 'é\tÿ' } }],
  ])('is taken or left: %s', async (_case, request) => {
    await harness.mara.says('something to list')
    const answer = await harness.cheapest({ token: harness.mara.token, ...request, path: request.path.replace('JOEL', harness.joel.id) })
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
    expect(answer.cpuMilliseconds).toBeLessThan(MAX_CPU)
  })
})

describe('a limit', () => {
  const LISTS = endpoints.filter(({ method, parameters }) => method === 'GET' && parameters.has('limit'))
  const filled = (path: string) => path.replace(':id', harness.mara.id).replace(/:\w+/, '1')

  test.each(LISTS.map(({ path }) => [path]))('is its absolute value, and never an error: %s', async (path) => {
    const ask = async (limit: string) => {
      const { status, body } = await send(harness.world.origin, { path: `${filled(path)}?q=tea&limit=${limit}`, token: harness.mara.token })
      return { status, body }
    }
    expect(await ask('-1')).toEqual(await ask('1'))
    for (const limit of ['', 'abc', '1.5', '9'.repeat(40), `-${'9'.repeat(40)}`, '%D9%A3', '0x10'])
      expect({ limit, status: (await ask(limit)).status }).toEqual({ limit, status: (await ask('1')).status })
  })
})

describe('a path', () => {
  const ROOTS = ['/', '/api/v1/', '/api/v1/accounts/', '/api/v1/tags/', '/api/v1/streaming/', '/media/', '/auth/', '/@', '/users/']
  const OAUTH = ['/oauth/', '/oauth/authorize/', '/oauth/interaction/', '/auth/account/data/', '/.well-known/oauth-authorization-server/']

  test.each([...ROOTS, ...OAUTH])('below %s that cannot be decoded names nothing', async (root) => {
    for (const wrong of ['%ff', '%', '%zz', '%c3%28', '%00', 'a/%ff/b', '%ff?lang=%ff'])
      for (const accept of ['*/*', 'text/html']) {
        const answer = await send(harness.world.origin, { path: root + wrong, headers: { accept }, token: harness.mara.token })
        expect({ path: root + wrong, status: answer.status }).toEqual({ path: root + wrong, status: expect.toBeOneOf([400, 401, 404]) })
        expect(answer.text).not.toMatch(/node_modules|at \w+ \(/)
      }
  })

  test.each(['/api/v1/notifications/asked', '/api/v1/statuses/abc', '/api/v1/accounts/tea/follow', '/api/v1/lists/1e3'])(
    '%s is no record',
    async (path) => {
      const method = path.endsWith('follow') ? 'POST' : 'GET'
      for (const token of [harness.mara.token, undefined]) {
        const answer = await send(harness.world.origin, { method, path, ...(token && { token }) })
        expect(answer).toMatchObject({ status: 404, body: { error: 'Record not found' } })
      }
    },
  )
})

describe('an id', () => {
  const WRONG = ['abc', '-1', '1.5', '1e3', '%20' + '1', '%D9%A3', '9223372036854775808', '9'.repeat(60), '%00', '%ff', '__proto__', '01']

  test.each(
    endpoints
      // Dismissing an unknown suggestion succeeds (spec, Suggestions).
      .filter(({ path }) => path.includes(':id') && !path.startsWith('/api/v1/suggestions/'))
      .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const),
  )('that is none is not found: %s', async (_name, { method, path }) => {
    for (const wrong of WRONG) {
      const answer = await send(harness.world.origin, { method, path: path.replace(':id', wrong), token: harness.mara.token })
      expect({ wrong, status: answer.status, body: answer.body }).toEqual({
        wrong,
        status: 404,
        body: { error: expect.toBeOneOf(['Record not found', 'Not Found']) },
      })
    }
  })

  const LISTS = endpoints.filter(({ method, parameters }) => method === 'GET' && parameters.has('max_id'))
  const CURSORS = ['max_id', 'since_id', 'min_id']
  const filled = (path: string) => path.replace(':id', harness.mara.id).replace(':list_id', '1').replace(':hashtag', 'tea')

  test.each(LISTS.map((list) => [list.path, list] as const))('that is none is no cursor: %s', async (path, { parameters }) => {
    for (const name of CURSORS.filter((each) => parameters.has(each)))
      for (const wrong of ['abc', '-1', '1.5', '9223372036854775808', '%D9%A3', '1%20or%201=1']) {
        const answer = await send(harness.world.origin, { path: `${filled(path)}?q=tea&${name}=${wrong}`, token: harness.mara.token })
        const error = `Validation failed: ${name} is not a valid id`
        expect({ wrong, status: answer.status, body: answer.body }).toEqual({ wrong, status: 422, body: { error } })
      }
  })

  // A link's timeline exists only while the link trends: trends.test.ts.
  const WHOLE_LISTS = LISTS.filter(({ path }) => path !== '/api/v1/timelines/link')
  test.each(WHOLE_LISTS.map(({ path }) => [path]))('beyond all records is a cursor: %s', async (path) => {
    const { id } = await harness.mara.says('#tea')
    const { body: list } = await harness.mara.post('/api/v1/lists', { title: 'tea' })
    const reader = await harness.world.person(`cursors${id}`)
    await reader.reacts('favourite', { id })
    await harness.world.idle()
    const [{ group_key: key }] = (await harness.mara.get('/api/v2/notifications')).body.notification_groups
    const named = path.replace('statuses/:id', `statuses/${id}`).replace(/(lists|list)\/:(id|list_id)/, `$1/${list.id}`)
    const address = filled(named.replace(':group_key', key))
    for (const cursor of ['max_id=0', 'min_id=9223372036854775807', 'since_id=9223372036854775807', 'max_id=', 'min_id=%20']) {
      const { status } = await send(harness.world.origin, { path: `${address}?q=tea&${cursor}`, token: harness.mara.token })
      expect({ cursor, status }).toEqual({ cursor, status: 200 })
    }
  })
})

describe('a token', () => {
  test.each([
    ['with a space', 'Bearer a b'],
    ['of another scheme', 'Basic dGVhOnRlYQ=='],
    ['without a word', 'Bearer'],
    ['of any bytes', 'Bearer é\xff'],
    ['that is long', `Bearer ${'x'.repeat(10_000)}`],
  ])('%s is invalid', async (_case, authorization) => {
    const answer = await harness.cheapest({ path: '/api/v1/timelines/home', headers: { authorization } })
    expect(answer).toMatchObject({ status: 401, body: { error: 'The access token is invalid' } })
  })
})
