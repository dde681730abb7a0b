import { type Browser, type PageAnswer, type Person, World } from '@rookery/test-world'
import { browser } from '@rookery/test-world/page-browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PAGES, SETTINGS } from '../src/module.ts'

// Acts that cannot be undone need a confirmation, on a page that names their subject.

let world: World
let owner: Person
let inside: Browser

const heading = ({ text }: PageAnswer) => /<h1>([^<]*)/.exec(text)?.[1]
const notice = ({ text }: PageAnswer) => /<p class="notice[^"]*" role="(?:alert|status)"[^>]*>([^<]*)/.exec(text)?.[1]
const subject = ({ text }: PageAnswer) => /<p class="who"><strong>([^<]*)/.exec(text)?.[1]

beforeAll(async () => {
  world = await World.open({ settings: { REGISTRATIONS: 'approval', INSTANCE_RULES: 'Be kind\nSing' } })
  owner = await world.owner('olga')
  inside = browser(world)
  await inside.submit(await inside.visit('/admin'), { email: 'olga@example.org', password: 'olga-password' })
})
afterAll(() => world.close())

/** Deletions of records that the same person can create again. */
const TAKEN_BACK = [
  '/admin/domains remove',
  '/admin/domains/allowed remove',
  '/admin/domains/relays remove',
  '/admin/addresses remove',
  '/admin/addresses/networks remove',
  '/settings remove_avatar',
  '/settings remove_header',
  '/settings/profile remove_avatar',
  '/settings/profile remove_header',
  '/settings/filters remove_keyword',
  '/settings/push remove',
]

test('each form that deletes something asks, but for those that can be taken back', () => {
  const silent = [...ADMIN_PAGES, ...SETTINGS.pages].flatMap(({ path, forms = {} }) =>
    Object.entries(forms).flatMap(([name, { endpoint, final }]) => (endpoint.method === 'DELETE' && !final ? [`${path} ${name}`] : [])),
  )
  expect(silent.toSorted()).toEqual(TAKEN_BACK.toSorted())
})

const signsUp = async (username: string) => {
  const person = { username, email: `${username}@example.org`, password: 'a password', agreement: true, locale: 'en', reason: 'I sing' }
  expect((await world.asks('POST', '/api/v1/accounts', { token: await world.appToken(), body: person })).status).toBe(200)
}
const pending = async () => (await owner.get('/api/v2/admin/accounts?status=pending')).body.length

test('a sign-up is rejected after a page that names it; back leads to where one was', async () => {
  await signsUp('wren')
  const asked = await inside.submit(await inside.go('/admin/approvals?lang=de'), {}, 'value="reject"')
  expect([asked.status, heading(asked), subject(asked)]).toEqual([200, 'Bist du sicher?', '@wren'])
  expect(asked.text).toContain('<a href="/admin/approvals?lang=de">Zurück, ohne es zu tun</a>')
  expect(await pending()).toBe(1)
  expect(notice(await inside.submit(asked, {}))).toBe('Die Registrierung ist abgelehnt.')
  expect(await pending()).toBe(0)
})

test('several are rejected after a page that counts them, and none that were not chosen', async () => {
  for (const name of ['robin', 'rook', 'raven']) await signsUp(name)
  const page = await inside.go('/admin/approvals')
  const ids = [...page.text.matchAll(/name="account_ids\[\]" value="(\d+)"/g)].map(([, id = '']) => id)
  const chosen = { 'account_ids[0]': ids[0]!, 'account_ids[1]': ids[1]!, decision: 'reject' }
  const asked = await inside.submit(page, chosen, 'id="chosen"')
  expect([heading(asked), subject(asked), await pending()]).toEqual(['Are you sure?', 'Chosen: 2', 3])
  const body = new URLSearchParams(
    [...asked.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  )
  expect((await inside.go('/admin/approvals', { method: 'POST', body })).status).toBe(303)
  expect(await pending()).toBe(1)
})

test('posts are deleted after a page; marking them as sensitive asks nothing', async () => {
  const joel = await world.person('joel')
  const { id } = await joel.says('tea')
  const path = `/admin/accounts/${joel.id}/statuses`
  const marked = await inside.submit(await inside.go(path), { 'status_ids[0]': id, type: 'mark_statuses_as_sensitive' }, 'value="statuses"')
  expect(notice(marked)).toBe('Done.')
  const asked = await inside.submit(await inside.go(path), { 'status_ids[0]': id, type: 'delete_statuses', text: 'no' }, 'value="statuses"')
  expect([heading(asked), (await joel.get(`/api/v1/statuses/${id}`)).status]).toEqual(['Are you sure?', 200])
  expect(asked.text).toContain('name="text" value="no"')
  expect(notice(await inside.submit(asked, { 'status_ids[0]': id }))).toBe('Done.')
  expect((await joel.get(`/api/v1/statuses/${id}`)).status).toBe(404)
})

test('a rule and a suspension of a domain are asked about, a limit is not', async () => {
  const rules = async () => (await world.get('/api/v1/instance/rules')).body.length
  const asked = await inside.submit(await inside.go('/admin/settings/rules'), {}, 'value="remove"')
  expect([heading(asked), subject(asked), await rules()]).toEqual(['Are you sure?', 'Be kind', 2])
  expect(notice(await inside.submit(asked, {}))).toBe('Removed.')
  expect(await rules()).toBe(1)
  const page = await inside.go('/admin/domains')
  expect(notice(await inside.submit(page, { domain: 'loud.example', severity: 'silence' }, 'value="add"'))).toBe('Added.')
  const suspending = await inside.submit(page, { domain: 'bad.example', severity: 'suspend' }, 'value="add"')
  expect([heading(suspending), subject(suspending)]).toEqual(['Are you sure?', 'bad.example'])
  expect(notice(await inside.submit(suspending, {}))).toBe('Added.')
})

test('an act that asks for the password asks this too, also of those who gave it lately', async () => {
  world.clock.advance(16 * 60_000)
  const published = { text: 'Be kind.', effective_on: '' }
  await inside.submit(await inside.go('/admin/settings/terms'), published, 'value="publish"')
  const asked = await inside.submit(await inside.go('/admin/settings/terms'), {}, 'value="remove"')
  expect([heading(asked), asked.text.includes('name="current_password"')]).toEqual(['Are you sure?', true])
  expect(notice(await inside.submit(asked, { current_password: 'olga-password' }))).toBe('Removed.')
  await inside.submit(await inside.go('/admin/settings/terms'), published, 'value="publish"')
  const again = await inside.submit(await inside.go('/admin/settings/terms'), {}, 'value="remove"')
  expect([heading(again), again.text.includes('name="current_password"')]).toEqual(['Are you sure?', false])
  expect(notice(await inside.submit(again, {}))).toBe('Removed.')
})
