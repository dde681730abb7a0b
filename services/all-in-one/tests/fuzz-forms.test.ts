import { callWithin } from '@rookery/rpc/call-within'
import type { Browser, PageAnswer } from '@rookery/test-world'
import { browser } from '@rookery/test-world/page-browser'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BadInputHarness, openBadInput } from './bad-input.ts'

// Every form on every page for signed-in people, each time with one invalid field.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

const PASSWORD = 'mara-password'
const STARTS = ['/settings', '/admin', '/auth/account', '/disputes/strikes']
/** Forms that end the session or change the password. */
const LEAVING = /sign_out|\/everywhere|\/delete|\/password|\/browsers|\/move/
const OF_EVERY_FORM = ['form', 'form_token', 'form_once', 'current_password', 'code']
/** The one fault of a caller for which the contract requires 500 (spec, PUT /api/v1/admin/domain_blocks/:id). */
const EXEMPT = 'severity'
/** Further records of one kind show the same forms. */
const MAX_PAGES_ALIKE = 3

/** Errors of the API, in its language; pages must use their own. */
const RAW = /Validation failed|Record not found|not allowed|(?:can't|can&#39;t) be blank|is not included|is too long/
/** The general error of a page for a fault without words. */
const UNKNOWN = 'Was gesendet wurde, passt nicht.'
/** Not typed by people: pages explain no faults of it. */
const UNSEEN = 'account_id'

type Form = { action: string; isUpload: boolean; values: Record<string, string> }

const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const attribute = (tag: string, name: string) => unescaped(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '')

/** The option of a select that a browser preselects. */
const choiceOf = (list: string) =>
  attribute(/<option[^>]* selected[^>]*>/.exec(list)?.[0] ?? /<option[^>]*>/.exec(list)?.[0] ?? '', 'value')

/** The fields of a form as a browser would send them, with the password filled in. */
const valuesOf = (body: string): Record<string, string> => {
  const values: Record<string, string> = {}
  for (const [element, kind] of body.matchAll(/<(input|button)\b[^>]*>|<(?:select|textarea)\b[^>]*>[\s\S]*?<\/(?:select|textarea)>/g)) {
    const name = attribute(element, 'name')
    if (!name || attribute(element, 'type') === 'file') continue
    if (attribute(element, 'type') === 'password') values[name] = PASSWORD
    else values[name] ??= kind ? attribute(element, 'value') : choiceOf(element)
  }
  return values
}

const formsOf = ({ text }: PageAnswer): Form[] =>
  [...text.matchAll(/<form method="post" action="([^"]*)"([^>]*)>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', attributes = '', body = '']) => ({
      action: unescaped(action),
      isUpload: attributes.includes('multipart'),
      values: valuesOf(body),
    }),
  )

/** The pages linked from a start page, each URL once, and a few of similar records. */
const pagesFrom = async (visitor: Browser): Promise<Map<string, PageAnswer>> => {
  const pages = new Map<string, PageAnswer>()
  const alike = new Map<string, number>()
  const waiting = [...STARTS]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const kind = path.replace(/\d+/g, '0')
    const isKnown = pages.has(path) || (alike.get(kind) ?? 0) >= MAX_PAGES_ALIKE
    if (isKnown || LEAVING.test(path)) continue
    alike.set(kind, (alike.get(kind) ?? 0) + 1)
    const page = await visitor.visit(path)
    pages.set(path, page)
    for (const [, href = ''] of page.text.matchAll(/<a [^>]*href="([^"?#]+)/g))
      if (STARTS.some((start) => href.startsWith(start))) waiting.push(href)
  }
  return pages
}

/** Malformed versions of a field, which no browser sends, or which people mistype. */
const ODDITIES: readonly ((name: string) => [name: string, value: string])[] = [
  (name) => [`${name}[a]`, '1'],
  (name) => [`${name}[]`, '1'],
  (name) => [name, ''],
  (name) => [name, '12345'],
  (name) => [name, 'é\u0000'],
  (name) => [name, 'x'.repeat(10_000)],
]

const bodyOf = ({ isUpload, values }: Form, without: string, odd: [string, string]) => {
  const body = isUpload ? new FormData() : new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (name !== without) body.append(name, value)
  // The confirmation for acts that cannot be undone.
  body.append('form_confirmed', 'true')
  body.append(...odd)
  return body
}

/** Creates the records that the pages show. */
const fill = async ({ mara, joel, world }: BadInputHarness) => {
  const { id } = await joel.says('#tea at four')
  const made = [
    mara.post('/api/v1/reports', { account_id: joel.id, status_ids: [id], comment: 'look' }),
    mara.post('/api/v2/filters', { title: 'tea', context: ['home'] }),
    mara.post('/api/v1/tags/tea/follow'),
    mara.post('/api/v1/admin/domain_blocks', { domain: 'blocked.example' }),
    mara.post('/api/v1/admin/ip_blocks', { ip: '192.0.2.1', severity: 'no_access', expires_in: 86_400 }),
    mara.post('/api/v1/admin/email_domain_blocks', { domain: 'mail.example' }),
    mara.post('/api/v1/admin/canonical_email_blocks', { email: 'no@mail.example' }),
  ]
  for (const { status } of await Promise.all(made)) expect(status).toBe(200)
  const call = callWithin(30, 'fuzz')
  // Joel's appeal is for Mara to decide, and Mara may appeal an operator's act.
  await mara.post(`/api/v1/admin/accounts/${joel.id}/action`, { type: 'none', text: 'hush' })
  await world.operator().setSilenced(call, { username: 'mara', isSilenced: true })
  await world.idle()
  const [{ moderation_warning: act }] = await joel.notifications('?types[]=moderation_warning')
  const inside = browser(world)
  const path = `/disputes/strikes/${act.id}`
  await inside.submit(await inside.submit(await inside.visit(path), { email: 'joel@example.org', password: 'joel-password' }), {
    text: 'no',
  })
  await world.idle()
}

test('every form takes one odd field with a page that says so, and never fails by itself', async () => {
  await fill(harness)
  const visitor = browser(harness.world)
  await visitor.submit(await visitor.visit('/auth/sign_in'), { email: 'mara@example.org', password: PASSWORD })
  const pages = await pagesFrom(visitor)
  const faults: unknown[] = []
  let sent = 0
  const send = async (path: string, form: Form, name: string) => {
    for (const odd of ODDITIES.map((make) => make(name))) {
      const isGateways = /^\/(?:settings|admin)/.test(form.action)
      const action = isGateways ? `${form.action.split('?')[0]}?lang=de` : form.action
      const { status, location, text } = await visitor.go(action, { method: 'POST', body: bodyOf(form, name, odd) })
      sent++
      const raw = isGateways && (RAW.exec(text)?.[0] ?? (name !== UNSEEN && text.includes(UNKNOWN) ? UNKNOWN : undefined))
      if (raw) faults.push({ path, form: form.values['form'], odd, status, raw })
      if ((status >= 500 && name !== EXEMPT) || location?.includes('sign_in'))
        faults.push({ path, form: form.values['form'], odd, status, location })
    }
  }
  for (const [path, page] of pages) {
    const forms = formsOf(page).filter(({ action }) => !LEAVING.test(action))
    for (const form of forms) for (const name of Object.keys(form.values)) if (!OF_EVERY_FORM.includes(name)) await send(path, form, name)
    for (const name of OF_EVERY_FORM) if (forms[0]) await send(path, forms[0], name)
  }
  expect(faults).toEqual([])
  expect((await visitor.visit('/auth/account')).text).toContain('mara')
  expect(sent).toBeGreaterThan(1000)
}, 300_000)
