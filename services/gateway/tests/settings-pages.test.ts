import { type Browser, type PageAnswer, type Person, World } from '@rookery/test-world'
import { browser } from '@rookery/test-world/page-browser'
import { openBrowser } from '@rookery/test-world/push-service'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SETTINGS } from '../src/module.ts'

// The account's settings: those of the gateway, under one navigation with those of auth.

let world: World
let mara: Person
let inside: Browser

const signIn = async (name: string, to = '/settings'): Promise<{ inside: Browser; page: PageAnswer }> => {
  const opened = browser(world)
  const page = await opened.submit(await opened.visit(to), { email: `${name}@example.org`, password: `${name}-password` })
  return { inside: opened, page }
}

const heading = ({ text }: PageAnswer) => /<h1>([^<]*)/.exec(text)?.[1]
const notice = ({ text }: PageAnswer) => /<p class="notice[^"]*" role="(?:alert|status)">([^<]*)/.exec(text)?.[1]
const links = ({ text }: PageAnswer) =>
  [...(/<nav class="sections"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '').matchAll(/href="([^"?]+)/g)].map(([, href]) => href ?? '')

beforeAll(async () => {
  world = await World.open()
  mara = await world.person('mara')
  inside = (await signIn('mara')).inside
})
afterAll(() => world.close())

test('are for those who are signed in, who come back to the page they asked for', async () => {
  for (const { path } of SETTINGS.pages) {
    const { status, location, headers } = await browser(world).go(path)
    expect(Object.fromEntries(headers)).toMatchObject({ 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' })
    expect({ path, status, location }).toEqual({
      path,
      status: 303,
      location: `/auth/sign_in?lang=en&return_to=${encodeURIComponent(path)}`,
    })
  }
  const { page } = await signIn('mara', '/settings/filters')
  expect([page.status, heading(page)]).toEqual([200, 'Filters'])
})

test('name every section on every page, in three languages, and mark the one that is shown', async () => {
  const all = links(await inside.go('/settings'))
  expect(all).toHaveLength(14)
  for (const path of all) {
    for (const [language, label] of [
      ['en', 'Settings'],
      ['de', 'Einstellungen'],
      ['fr', 'Paramètres'],
    ]) {
      const page = await inside.go(`${path}?lang=${language}`)
      // This server sends no mail, so there is no page for it.
      expect({ path, status: page.status }).toEqual({ path, status: path === '/auth/account/mail' ? 404 : 200 })
      expect({ path, links: links(page) }).toEqual({ path, links: all })
      expect(page.text).toContain(`<nav class="sections" aria-label="${label}">`)
      const marked = [...page.text.matchAll(/<a href="([^"?]+)[^"]*" aria-current="page"/g)].map(([, href]) => href)
      expect({ path, marked }).toEqual({ path, marked: [path] })
      expect(page.text).not.toContain('undefined')
      expect(page.headers.get('content-security-policy')).not.toContain('script-src')
    }
  }
})

test('lead staff to the pages of staff, from every section, and no one else', async () => {
  await world.owner('olga')
  const staff = (await signIn('olga')).inside
  for (const path of ['/settings', '/auth/account', '/auth/account/data']) {
    expect({ path, text: (await staff.go(path)).text }).toEqual({
      path,
      text: expect.stringContaining('<a href="/admin?lang=en">Administration</a>'),
    })
    expect((await inside.go(path)).text).not.toContain('href="/admin')
  }
})

test('take no form that is not ours', async () => {
  for (const { path, forms = {} } of SETTINGS.pages) {
    for (const form of Object.keys(forms)) {
      const body = new URLSearchParams({ form, form_token: 'made up', display_name: 'forged', title: 'forged', name: 'forged', id: '1' })
      expect({ path, form, status: (await inside.go(path, { method: 'POST', body })).status }).toEqual({ path, form, status: 403 })
    }
  }
  expect((await mara.get('/api/v1/profile')).body.display_name).not.toBe('forged')
})

test('change the profile as the API does, and say what is wrong', async () => {
  const page = await inside.go('/settings/profile')
  const given = {
    display_name: 'Mara <b>',
    note: 'tea & birds',
    name_1: 'Home',
    value_1: 'Tern Island',
    locked: 'true',
    show_media: 'true',
  }
  const saved = await inside.submit(page, given, 'value="change"')
  expect(notice(saved)).toBe('Saved.')
  expect(saved.text).toContain('value="Mara &lt;b&gt;"')
  const { body } = await mara.get('/api/v1/profile')
  expect(body).toMatchObject({
    display_name: 'Mara <b>',
    note: 'tea & birds',
    locked: true,
    show_media: true,
    show_featured: false,
    fields: [{ name: 'Home', value: 'Tern Island' }],
  })
  const refused = await inside.submit(saved, { ...given, display_name: 'x'.repeat(200) }, 'value="change"')
  expect([refused.status, notice(refused)]).toEqual([422, 'That did not work. Please look at what is marked.'])
})

test('take a picture and remove it', async () => {
  const page = await inside.go('/settings/profile')
  const form = new FormData()
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  for (const [name, value] of Object.entries({ form_token: token, form: 'avatar', form_once: 'picture' })) form.set(name, value)
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#3a4fc4' } })
    .png()
    .toBuffer()
  form.set('avatar', new Blob([picture], { type: 'image/png' }), 'me.png')
  expect((await inside.go('/settings/profile', { method: 'POST', body: form })).status).toBe(303)
  const shown = await inside.go('/settings/profile')
  const address = (await mara.get('/api/v1/profile')).body.avatar as string
  expect(shown.text).toContain(`src="${address}"`)
  expect(notice(await inside.submit(shown, {}, 'value="remove_avatar"'))).toBe('Removed.')
  expect((await mara.get('/api/v1/profile')).body.avatar).toBe(null)
})

test('change what posts begin with', async () => {
  const given = { privacy: 'private', quote_policy: 'nobody', language: 'de', sensitive: 'true' }
  const saved = await inside.submit(await inside.go('/settings/preferences'), given)
  expect(notice(saved)).toBe('Saved.')
  expect((await mara.get('/api/v1/accounts/verify_credentials')).body.source).toMatchObject({ ...given, sensitive: true })
  expect(saved.text).toContain('<option selected value="private">')
})

test('change how apps begin to show what is read', async () => {
  const given = { expand_media: 'show_all', expand_spoilers: 'true', autoplay_gifs: 'true' }
  const reading = async () => {
    const { body } = await mara.get('/api/v1/preferences')
    return ['expand:media', 'expand:spoilers', 'autoplay:gifs'].map((name) => body[`reading:${name}`])
  }
  expect(await reading()).toEqual(['default', false, false])
  const saved = await inside.submit(await inside.go('/settings/preferences'), given)
  expect([notice(saved), await reading()]).toEqual(['Saved.', ['show_all', true, true]])
  expect(saved.text).toContain('<option selected value="show_all">')
  const wrong = await inside.submit(saved, { expand_media: 'some' })
  expect([wrong.status, await reading()]).toEqual([422, ['show_all', true, true]])
  const back = await inside.submit(wrong, { ...given, expand_media: 'default', expand_spoilers: 'false', autoplay_gifs: 'false' })
  expect([notice(back), await reading()]).toEqual(['Saved.', ['default', false, false]])
})

test('offer each privacy that posts may begin with, and every language with a code of two letters', async () => {
  const page = await inside.go('/settings/preferences')
  const [privacy = '', , language = ''] = page.text.split('<select').slice(1)
  const valuesOf = (part: string) => [...part.split('</select>')[0]!.matchAll(/<option[^>]* value="([^"]*)"/g)].map(([, value]) => value)
  expect(valuesOf(privacy)).toEqual(['public', 'unlisted', 'private'])
  for (const value of valuesOf(privacy)) expect(notice(await inside.submit(page, { privacy: value! }))).toBe('Saved.')
  expect(valuesOf(language)).toEqual(expect.arrayContaining(['sv', 'ko', 'ar', 'uk', 'de']))
  expect(new Set(valuesOf(language)).size).toBe(valuesOf(language).length)
})

test('list, add, change and remove filters and their keywords', async () => {
  const page = await inside.go('/settings/filters')
  expect(page.text).toContain('There are no filters yet.')
  const given = {
    title: 'Spoilers',
    keywords: 'season finale\n\n  murderer ',
    in_home: 'true',
    in_thread: 'true',
    filter_action: 'hide',
    expires_in: '86400',
  }
  const blank = { in_notifications: 'false', in_public: 'false', in_account: 'false' }
  const added = await inside.submit(page, { ...blank, ...given }, 'value="add"')
  expect(notice(added)).toBe('Added.')
  const [filter] = (await mara.get('/api/v2/filters')).body
  expect(filter).toMatchObject({ title: 'Spoilers', context: ['home', 'thread'], filter_action: 'hide' })
  expect(filter.keywords.map(({ keyword }: { keyword: string }) => keyword)).toEqual(['season finale', 'murderer'])
  expect(filter.expires_at).not.toBe(null)
  const changed = await inside.submit(
    added,
    { ...blank, in_home: 'true', title: 'Endings', keywords: 'ending', filter_action: 'warn', expires_in: 'keep' },
    'value="change"',
  )
  expect(notice(changed)).toBe('Saved.')
  await inside.submit(changed, {}, 'value="remove_keyword"')
  const [after] = (await mara.get('/api/v2/filters')).body
  expect(after).toMatchObject({ title: 'Endings', context: ['home'], filter_action: 'warn', expires_at: filter.expires_at })
  expect(after.keywords.map(({ keyword }: { keyword: string }) => keyword)).toEqual(['murderer', 'ending'])
  const refused = await inside.submit(changed, { ...blank, title: '', in_home: 'true', keywords: '' }, 'value="add"')
  expect([refused.status, notice(refused)?.startsWith('That did not work.')]).toEqual([422, true])
  const asked = await inside.submit(changed, {}, 'value="remove"')
  expect([heading(asked), (await mara.get('/api/v2/filters')).body.length]).toEqual(['Are you sure?', 1])
  expect(notice(await inside.submit(asked, {}))).toBe('Removed.')
  expect((await mara.get('/api/v2/filters')).body).toEqual([])
})

test('list followed hashtags, and follow and unfollow them', async () => {
  const added = await inside.submit(await inside.go('/settings/tags'), { name: ' #Tea ' }, 'value="follow"')
  expect(notice(added)).toBe('Added.')
  expect((await mara.get('/api/v1/followed_tags')).body).toMatchObject([{ name: 'Tea' }])
  const refused = await inside.submit(added, { name: 'not a tag!' }, 'value="follow"')
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(notice(await inside.submit(added, {}, 'value="unfollow"'))).toBe('Removed.')
  expect((await mara.get('/api/v1/followed_tags')).body).toEqual([])
})

test('list push subscriptions and remove them, one’s own alone', async () => {
  const joel = await world.person('joel')
  const subscription = { endpoint: 'https://push.example/mara', keys: openBrowser().keys, standard: true }
  const data = { alerts: { mention: true, follow: false } }
  for (const person of [mara, joel]) await person.post('/api/v1/push/subscription', { subscription, data })
  const page = await inside.go('/settings/push')
  expect(page.text).toContain('<strong>push.example</strong>')
  expect(page.text).toContain('Alerted of: mentions')
  expect(page.text.match(/value="remove"/g)).toHaveLength(1)
  const theirs = (await joel.get('/api/v1/push/subscription')).body.id
  await inside.submit(page, { id: String(theirs) }, 'value="remove"')
  expect((await joel.get('/api/v1/push/subscription')).status).toBe(200)
  expect(notice(await inside.submit(await inside.go('/settings/push'), {}, 'value="remove"'))).toBe('Removed.')
  expect((await mara.get('/api/v1/push/subscription')).status).toBe(404)
})

test('end with the sign-in', async () => {
  await world.person('leaver')
  const { inside: left } = await signIn('leaver')
  await left.submit(await left.visit('/auth/sign_out'), {})
  expect((await left.go('/settings/filters')).location).toMatch(/^\/auth\/sign_in/)
})
