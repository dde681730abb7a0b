import { type Browser, type PageAnswer, World } from '@rookery/test-world'
import { announces } from '@rookery/test-world/announcing'
import { browser } from '@rookery/test-world/page-browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The errors of refused forms of /settings and /admin: a sentence in the page's language, at its field.

let world: World
let inside: Browser

const notice = ({ text }: PageAnswer) => /<p class="notice wrong" role="alert"[^>]*>([^<]*)/.exec(text)?.[1]

/** The error messages by field. */
const errors = ({ text }: PageAnswer): [name: string, words: string | undefined][] =>
  [...text.matchAll(/<(?:input|textarea|select) id="[^"]+" name="([^"]+)" aria-invalid="true" aria-describedby="([^" ]+)/g)].map(
    ([, name = '', id]) => [name, new RegExp(`<p class="error" id="${id}">([^<]*)`).exec(text)?.[1]],
  )

const form = (name: string) => `name="form" value="${name}"`
const settingsForm = (path: string, name: string) => ({ path: `/settings/${path}`, name })
const adminForm = (path: string, name: string) => ({ path: `/admin/${path}`, name })
const long = (length: number) => 'x'.repeat(length)

beforeAll(async () => {
  world = await World.open({ settings: { INSTANCE_RULES: 'Be kind' } })
  const owner = await world.owner('olga')
  await owner.post('/api/v2/filters', { title: 'tea', context: ['home'] })
  await owner.post('/api/v1/admin/ip_blocks', { ip: '192.0.2.0/24', severity: 'sign_up_block' })
  await announces(world, 'We are down on Sunday')
  inside = browser(world)
  await inside.submit(await inside.visit('/settings'), { email: 'olga@example.org', password: 'olga-password' })
})
afterAll(() => world.close())

describe('a fault is told at its field, with what was typed', () => {
  const blank = 'Bitte fülle das aus.'
  test.each([
    [settingsForm('profile', 'change'), { display_name: long(40) }, 'display_name', 'Das ist zu lang: höchstens 30 Zeichen.'],
    [settingsForm('profile', 'change'), { note: long(600) }, 'note', 'Das ist zu lang: höchstens 500 Zeichen.'],
    [settingsForm('profile', 'change'), { name_1: 'a', value_1: 'a', value_3: 'b' }, 'name_3', blank],
    [settingsForm('profile', 'change'), { name_2: 'a', value_2: long(300) }, 'value_2', 'Das ist zu lang: höchstens 255 Zeichen.'],
    [settingsForm('filters', 'add'), { title: '', in_home: 'true' }, 'title', blank],
    [
      settingsForm('filters', 'add'),
      { title: 'a', in_home: 'true', keywords: long(600) },
      'keywords',
      'Das ist zu lang: höchstens 512 Zeichen.',
    ],
    [settingsForm('filters', 'add'), { title: 'a' }, 'in_home', 'Bitte wähle mindestens eines aus.'],
    [settingsForm('tags', 'follow'), { name: '' }, 'name', blank],
    [settingsForm('tags', 'follow'), { name: 'no tag!' }, 'name', 'Unter diesem Namen gibt es nichts.'],
    [adminForm('domains', 'add'), { domain: 'no domain' }, 'domain', 'Das ist keine Domain wie voegel.example.'],
    [adminForm('domains/allowed', 'add'), { domain: '' }, 'domain', blank],
    [adminForm('addresses', 'add'), { domain: '' }, 'domain', blank],
    [adminForm('addresses/networks', 'add'), { ip: 'x', severity: 'no_access' }, 'ip', 'Das ist nicht gültig.'],
    [adminForm('addresses/networks', 'add'), { ip: '192.0.2.0/24', severity: 'no_access' }, 'ip', 'Das gibt es schon.'],
    [adminForm('addresses/networks', 'add'), { ip: '127.0.0.1', severity: 'no_access' }, 'ip', 'Deine eigene Adresse ist darunter.'],
    [adminForm('addresses/mailboxes', 'add'), { email: '' }, 'email', blank],
    [adminForm('announcements', 'create'), { text: '' }, 'text', blank],
    [adminForm('announcements', 'create'), { text: 'a', ends_at: '2020-01-01T00:00' }, 'ends_at', 'Das muss in der Zukunft liegen.'],
    [adminForm('announcements', 'create'), { text: 'a', starts_at: 'Sunday' }, 'starts_at', 'Das ist nicht gültig.'],
    [adminForm('settings', 'change'), { title: long(101) }, 'title', 'Das ist zu lang: höchstens 100 Zeichen.'],
    [adminForm('settings', 'change'), { contact_account: 'nobody' }, 'contact_account', 'Unter diesem Namen gibt es nichts.'],
    [adminForm('settings/appearance', 'change'), { color: 'red' }, 'color', 'Das ist nicht gültig.'],
    [adminForm('settings/rules', 'add'), { text: '' }, 'text', blank],
    [adminForm('settings/terms', 'publish'), { text: 'a', effective_on: '2020-01-01' }, 'effective_on', 'Das muss heute oder später sein.'],
    [adminForm('domains/servers', 'refresh'), { address: 'nobody' }, 'address', 'Unter diesem Namen gibt es nichts.'],
  ] as const)('%o with %o', async ({ path, name }, values, field, words) => {
    const refused = await inside.submit(await inside.go(`${path}?lang=de`), values as Record<string, string>, form(name))
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect([errors(refused), notice(refused)]).toEqual([[[field, words]], 'Das ging nicht. Bitte sieh dir an, was markiert ist.'])
    for (const typed of Object.values(values)) expect(refused.text).toContain(typed)
    expect(refused.text).toMatch(/ autofocus/)
  })
})

test('several faults are told at several fields', async () => {
  const page = await inside.go('/admin/settings?lang=fr')
  const refused = await inside.submit(page, { title: '', contact_email: 'x' }, form('change'))
  expect(errors(refused)).toEqual([
    ['title', 'Veuillez remplir ce champ.'],
    ['contact_email', 'Ce n’est pas valide.'],
  ])
})

test('a form that is folded away opens where it is refused', async () => {
  const page = await inside.go('/settings/filters?lang=en')
  const refused = await inside.submit(page, { title: '', in_home: 'true' }, form('change'))
  expect(errors(refused)).toEqual([['title', 'Please fill this in.']])
  expect(refused.text).toMatch(/<details open>[\s\S]*aria-invalid="true"[\s\S]*<\/details>/)
})

test('a file that is missing or of another kind is told at its field', async () => {
  for (const [path, name, field] of [
    ['/admin/emojis?lang=de', 'add', 'picture'],
    ['/admin/domains/imports?lang=de', 'import', 'list'],
    ['/admin/settings/appearance?lang=de', 'picture', 'picture'],
  ] as const) {
    const refused = await inside.submit(await inside.go(path), { shortcode: 'tea' }, form(name))
    expect(errors(refused)).toEqual([[field, 'Bitte fülle das aus.']])
  }
  const page = await inside.go('/settings/profile?lang=de')
  const body = new FormData()
  const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  for (const [key, value] of Object.entries({ form_token: token, form: 'avatar', form_once: 'a text' })) body.set(key, value)
  body.set('avatar', new Blob(['no picture'], { type: 'image/png' }), 'me.png')
  const refused = await inside.go('/settings/profile?lang=de', { method: 'POST', body })
  expect(errors(refused)).toEqual([['avatar', 'Dateien dieser Art werden nicht angenommen.']])
})

test('a fault of no field is told above the form, in the page’s language', async () => {
  const { id } = await world.person('mara')
  const page = await inside.go(`/admin/accounts/${id}?lang=de`)
  const refused = await inside.submit(page, { type: 'flatter', text: 'kept words' }, form('warn'))
  expect([errors(refused), notice(refused)]).toEqual([[], 'Das ging nicht. Bitte wähle etwas aus der Liste.'])
  expect(refused.text).toContain('kept words')
})
