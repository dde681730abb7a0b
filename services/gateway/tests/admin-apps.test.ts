import { type Browser, Person, STAFF_SCOPES, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { browser } from '@rookery/test-world/page-browser'
import { holding, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The list of apps on /admin/apps, and their removal.

let world: World
let admin: Person
let mara: Person
let inside: Browser

const signIn = async (name: string): Promise<Browser> => {
  const opened = browser(world)
  await opened.submit(await opened.visit('/admin'), { email: `${name}@example.org`, password: `${name}-password` })
  return opened
}

beforeAll(async () => {
  world = await World.open()
  admin = await world.person('keeper', { role: 'admin', scopes: STAFF_SCOPES })
  await world.person('helper', { role: 'moderator' })
  mara = await world.person('mara')
  inside = await signIn('keeper')
})
afterAll(() => world.close())

type App = { client_id: string; client_secret: string }
const REDIRECT = 'tea://done'

const register = async (client_name: string, website = ''): Promise<App> => {
  const body = { client_name, redirect_uris: REDIRECT, scopes: 'read', website }
  return (await world.asks('POST', '/api/v1/apps', { body })).body
}

const approvalPage = async (outside: Browser, { client_id }: App) =>
  outside.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri: REDIRECT, scope: 'read' })}`)

/** Authorizes an app as mara; returns its token and a function that exchanges a second code. */
const letIn = async ({ client_id, client_secret }: App): Promise<{ token: string; exchange: () => Promise<number> }> => {
  const outside = browser(world)
  const codes: string[] = []
  for (const _time of [1, 2]) {
    let page = await approvalPage(outside, { client_id, client_secret })
    if (page.text.includes('name="password"')) {
      page = await outside.submit(page, { email: 'mara@example.org', password: 'mara-password' })
    }
    const back = await outside.submit(page, { answer: 'allow' })
    codes.push(new URL(back.location ?? '').searchParams.get('code') ?? '')
  }
  const exchange = (code: string | undefined) =>
    world.asks('POST', '/oauth/token', {
      body: { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id, client_secret },
    })
  return { token: (await exchange(codes[0])).body.access_token, exchange: async () => (await exchange(codes[1])).status }
}

const names = ({ text }: { text: string }) => [...text.matchAll(/<div class="what"><strong>([^<]*)/g)].map(([, name = '']) => name.trim())
const idOf = async ({ client_id: clientId }: App): Promise<string> =>
  (await world.query('select id::text from auth.app where client_id = $1', [clientId]))[0]?.id
const rows = async (text: string, values: unknown[]): Promise<number> =>
  (await world.query(`select count(*)::int as rows from ${text}`, values))[0].rows

test('an app that is removed is gone, with its tokens, codes and streams', async () => {
  const app = await register('Samovar', 'https://samovar.example')
  const other = await register('Kettle')
  const id = await idOf(app)
  const { token, exchange } = await letIn(app)
  const client = (await world.asks('POST', '/oauth/token', { body: { ...app, grant_type: 'client_credentials' } })).body.access_token
  const stream = await new Person({ id: mara.id, username: 'mara', token, origin: world.origin }).listens('user')
  const before = await inside.go('/admin/apps')
  expect(names(before)).toEqual(['Kettle', 'Samovar', 'rookery command'])
  for (const said of ['https://samovar.example', 'Scopes: read', `Redirect addresses: ${REDIRECT}`, 'Tokens: 2']) {
    expect(before.text).toContain(said)
  }

  const found = await inside.go('/admin/apps?query=samo')
  const done = await inside.submit(found, { form_confirmed: 'true' }, `value="remove"`)
  expect(done.text).toContain('The app is removed.')
  for (const each of [token, client]) {
    expect((await world.asks('GET', '/api/v1/apps/verify_credentials', { token: each })).status).toBe(401)
  }
  await world.advance(1000)
  expect(await stream.closed).toEqual(expect.any(Number))
  expect(names(await inside.go('/admin/apps'))).toEqual(['Kettle', 'rookery command'])
  const page = await browser(world).go(
    `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: REDIRECT })}`,
  )
  expect([page.status, page.location]).toEqual([400, undefined])
  expect(await exchange()).toBe(401)
  expect(await rows('auth.app where id = $1', [id])).toBe(0)
  expect(await rows('auth.access_token where app_id = $1', [id])).toBe(0)
  expect(await rows(`auth.oidc_artifact where payload ->> 'clientId' = $1`, [app.client_id])).toBe(0)
  expect((await mara.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
  expect((await letIn(other)).token).toBeTruthy()
  const { acts } = await world.operator().listActs(innerCall(), { page: { limit: 5 } })
  expect(acts).toContainEqual(expect.objectContaining({ action: 'remove_app', target: `Samovar ${id}`, staffId: admin.id }))
  expect((await inside.go('/admin/audit')).text).toContain('Removed an app')
})

test('apps are found by name and website, and listed in parts', async () => {
  await register('100% Tea', 'https://Tea.example/app')
  const found = async (query: string) => names(await inside.go(`/admin/apps?${new URLSearchParams({ query })}`))
  expect(await found('TEA.EXAMPLE')).toEqual(['100% Tea'])
  expect(await found('0%')).toEqual(['100% Tea'])
  expect(await found('%e%')).toEqual([])
  await Promise.all(Array.from({ length: 51 }, (_, number) => register(`Cup ${number}`)))
  const first = await inside.go('/admin/apps?query=cup')
  expect(names(first)).toHaveLength(50)
  const [, older = ''] = /href="([^"]+)" rel="next"/.exec(first.text) ?? []
  expect(names(await inside.go(older.replaceAll('&amp;', '&')))).toHaveLength(1)
})

const formOf = async (opened: Browser, id: string) => {
  const { text } = await inside.go('/admin/apps')
  const token = /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  return opened.go('/admin/apps', {
    method: 'POST',
    body: new URLSearchParams({ form: 'remove', form_token: token, form_confirmed: 'true', id }),
  })
}

test('the app of the operators stays, and so do all for who may not end access', async () => {
  const [operators] = await world.query('select id::text from auth.app where is_operators')
  const refused = await formOf(inside, operators.id)
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('The commands of operators use this app, so it stays.')
  expect((await mara.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
  const id = await idOf(await register('Mug'))
  const helper = await signIn('helper')
  expect([(await helper.go('/admin/apps')).status, (await formOf(helper, id)).status]).toEqual([403, 403])
  expect(names(await inside.go('/admin/apps?query=mug'))).toEqual(['Mug'])
})

test.each(['', '0', '-1', 'x', '1', '9'.repeat(30), "1' or '1'='1"])('no app is removed by the id %j', async (id) => {
  expect((await formOf(inside, id)).status).toBe(404)
})

test.each([
  ['?query=%00', 400],
  ['?max_id=x', 422],
])('a list is refused for %s', async (search, status) => {
  expect((await inside.go(`/admin/apps${search}`)).status).toBe(status)
})

test('an app with many tokens loses all of them, also when what deletes them is cut off halfway', async () => {
  const MANY = 1200
  const app = await register('Urn')
  const id = await idOf(app)
  const { token } = await letIn(app)
  await world.query(
    `insert into auth.access_token select (jsonb_populate_record(held, jsonb_build_object(
       'id', held.id + number, 'digest', '\\x' || encode(sha256(number::text::bytea), 'hex')))).*
     from auth.access_token held, generate_series(1, $2::int) number where app_id = $1`,
    [id, MANY],
  )
  const left = () => rows('auth.access_token where app_id = $1', [id])
  expect(await left()).toBe(MANY + 1)
  const held = await holding(world)
  await held.query('select from auth.access_token where app_id = $1 order by ctid desc limit 1 for update', [id])
  const removed = await inside.submit(await inside.go('/admin/apps?query=urn'), { form_confirmed: 'true' }, `value="remove"`)
  expect(removed.text).toContain('The app is removed.')
  const working = world.advance(0)
  await untilSomeoneWaits(world, 'auth')
  expect(await left()).toBeLessThan(MANY)
  expect(await left()).toBeGreaterThan(0)
  expect((await world.asks('GET', '/api/v1/apps/verify_credentials', { token })).status).toBe(401)
  await world.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'auth' and wait_event_type = 'Lock'",
  )
  await held.end()
  await working.catch(() => {})
  // After that, the staff's browser must sign in again.
  await world.advance(3_600_000)
  expect([await left(), await rows('auth.app where id = $1', [id])]).toEqual([0, 0])
})
