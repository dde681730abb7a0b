import { createHmac } from 'node:crypto'
import { holds, ROLES, type RoleName } from '@rookery/contracts/permissions'
import { type Browser, type PageAnswer, type Person, STAFF_SCOPES, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { browser } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PAGES } from '../src/module.ts'

// The staff pages: who sees which, and that their forms do what the API does.

let world: World
let people: Record<RoleName, Person>
const browsers = {} as Record<RoleName, Browser>
let mara: Person

const signIn = async (name: string, to = '/admin'): Promise<{ inside: Browser; page: PageAnswer }> => {
  const inside = browser(world)
  const page = await inside.submit(await inside.visit(to), { email: `${name}@example.org`, password: `${name}-password` })
  return { inside, page }
}

const heading = ({ text }: PageAnswer) => /<h1>([^<]*)/.exec(text)?.[1]
const notice = ({ text }: PageAnswer) => /<p class="notice[^"]*" role="(?:alert|status)"[^>]*>([^<]*)/.exec(text)?.[1]
/** The error messages at fields. */
const errors = ({ text }: PageAnswer) => [...text.matchAll(/<p class="error" id="[^"]*">([^<]*)/g)].map(([, words]) => words)
/** The confirmation that a form sends. */
const MEANT = { form_confirmed: 'true' }
/** Values of a list, as a form sends them. */
const many = (name: string, values: readonly string[]) => Object.fromEntries(values.map((value, index) => [`${name}[${index}]`, value]))
const formToken = ({ text }: PageAnswer) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Submits a form that the page does not show to this person. */
const sends = async (by: Browser, path: string, values: Record<string, string>) => {
  const token = formToken(await by.go(`/admin/accounts/${mara.id}`))
  return by.go(path, { method: 'POST', body: new URLSearchParams({ form_token: token, ...values }) })
}

beforeAll(async () => {
  world = await World.open({ settings: { REGISTRATIONS: 'approval', INSTANCE_RULES: 'Be kind\nNo selling' } })
  const roles = Object.keys(ROLES) as RoleName[]
  const made = await Promise.all(
    roles.map(async (role) => [role, await world.person(`a_${role}`, { role, scopes: STAFF_SCOPES })] as const),
  )
  people = Object.fromEntries(made) as Record<RoleName, Person>
  mara = await world.person('mara')
  for (const role of roles) browsers[role] = (await signIn(`a_${role}`)).inside
})
afterAll(() => world.close())

describe('who sees them', () => {
  test('those who are not signed in sign in and come back to the page they asked for', async () => {
    const first = await browser(world).go('/admin/reports?resolved=true')
    expect(first.status).toBe(303)
    expect(first.location).toBe('/auth/sign_in?lang=en&return_to=%2Fadmin%2Freports%3Fresolved%3Dtrue')
    const { page } = await signIn('a_moderator', '/admin/reports?resolved=true')
    expect([page.status, heading(page)]).toEqual([200, 'Reports'])
    expect(page.text).toContain('<option selected value="true">')
  })

  test.each(Object.keys(ROLES) as RoleName[])(
    'a role of %s opens the pages that it permits, and the navigation names those',
    async (role) => {
      const { permissions } = ROLES[role]
      const named = ADMIN_PAGES.filter(({ isFirst, access }) => isFirst && holds(permissions, access.permission ?? 0)).map(
        ({ path }) => path,
      )
      for (const { path, access } of ADMIN_PAGES) {
        const page = await browsers[role].go(path.replace(/:\w+/g, mara.id))
        const isOpen = holds(permissions, access.permission ?? 0)
        expect({ path, isOpen: page.status !== 403, isFault: page.status >= 500 }).toEqual({ path, isOpen, isFault: false })
        if (page.status !== 200) continue
        const links = [...(/<nav class="sections"[\s\S]*?<\/nav>/.exec(page.text)?.[0] ?? '').matchAll(/href="([^"]+)"/g)].map(
          ([, href]) => href,
        )
        expect({ path, links }).toEqual({ path, links: named })
      }
    },
  )

  test.each(Object.keys(ROLES) as RoleName[])('a role of %s cannot send forms of pages that it does not open', async (role) => {
    for (const { path, access, forms = {} } of ADMIN_PAGES) {
      if (holds(ROLES[role].permissions, access.permission ?? 0)) continue
      const body = new URLSearchParams({ form: Object.keys(forms)[0] ?? 'none', form_token: 'x' })
      const { status } = await browsers[role].go(path.replace(/:\w+/g, mara.id), { method: 'POST', body })
      expect({ path, status }).toEqual({ path, status: Object.keys(forms).length > 0 ? 403 : 404 })
    }
  })

  test('a sign-in ends on the pages at once when the login is disabled', async () => {
    await world.person('leaver', { role: 'moderator' })
    const { inside, page } = await signIn('leaver')
    expect(page.status).toBe(200)
    await world.operator().setDisabled(innerCall(), { username: 'leaver', isDisabled: true })
    expect((await inside.go('/admin')).location).toMatch(/^\/auth\/sign_in/)
  })

  test('they are in English, German and French, and no search engine shows them', async () => {
    for (const [lang, title] of [
      ['en', 'Overview'],
      ['de', 'Übersicht'],
      ['fr', 'Vue d’ensemble'],
    ]) {
      const page = await browsers.owner.go(`/admin?lang=${lang}`)
      expect(heading(page)).toBe(title)
      expect(page.text).toContain('content="noindex"')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })
})

describe('forms', () => {
  test('without the token of this sign-in are shown again, with what was typed, and do nothing', async () => {
    const path = `/admin/accounts/${mara.id}`
    const other = formToken(await browsers.admin.go(path))
    for (const token of ['', 'x', other]) {
      const body = new URLSearchParams({ form: 'warn', form_token: token, type: 'silence', text: 'typed words' })
      const page = await browsers.owner.go(path, { method: 'POST', body })
      expect([page.status, notice(page)]).toEqual([403, expect.stringContaining('out of date')])
      expect(page.text).toContain('typed words')
    }
    expect((await people.owner.get(`/api/v1/admin/accounts/${mara.id}`)).body.silenced).toBe(false)
  })

  test('that a page does not have are missing', async () => {
    const page = await browsers.owner.go('/admin/approvals')
    const token = formToken(await browsers.owner.go(`/admin/accounts/${mara.id}`))
    const body = new URLSearchParams({ form: 'constructor', form_token: token })
    expect(page.status).toBe(200)
    expect((await browsers.owner.go('/admin/approvals', { method: 'POST', body })).status).toBe(404)
  })

  test('sent twice act once', async () => {
    const path = `/admin/accounts/${mara.id}`
    const page = await browsers.owner.go(path)
    const once = /name="form" value="warn">[\s\S]*?name="form_once" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const sent = { form: 'warn', form_token: formToken(page), form_once: once, type: 'none', text: 'said once' }
    for (const _again of [1, 2]) {
      const answer = await browsers.owner.go(path, { method: 'POST', body: new URLSearchParams(sent) })
      expect([answer.status, answer.location]).toEqual([303, `${path}?done=acted`])
    }
    const { acts } = await world.operator().listActs(innerCall(), { page: { limit: 40 } })
    expect(acts.filter(({ text }) => text === 'said once')).toHaveLength(1)
  })

  test('are not there for acts on those above, and say so when they are sent nevertheless', async () => {
    for (const role of ['moderator', 'admin'] as const) {
      const path = `/admin/accounts/${people.owner.id}`
      const page = await browsers[role].go(path)
      expect(page.text).toContain('Your role does not permit acting on this account.')
      expect(page.text).not.toContain('<form method="post"')
      const answer = await sends(browsers[role], path, { form: 'warn', type: 'suspend', text: 'no' })
      expect([answer.status, notice(answer)]).toEqual([403, 'That did not work. Your role does not permit this.'])
    }
    const page = await browsers.owner.go(`/admin/accounts/${mara.id}`)
    const answer = await browsers.owner.submit(page, { type: 'flatter', text: 'kept words' }, 'value="warn"')
    expect([answer.status, notice(answer)]).toEqual([422, 'That did not work. Please choose something from the list.'])
    expect(answer.text).toContain('kept words')
  })
})

describe('approvals', () => {
  const signUp = async (username: string, domain = 'example.org') => {
    const token = await world.appToken()
    const person = {
      username,
      email: `${username}@${domain}`,
      password: 'a password',
      agreement: true,
      locale: 'en',
      reason: `I am <${username}>`,
    }
    const answer = await world.asks('POST', '/api/v1/accounts', { token, body: person })
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
  }

  test('show who waits and why; one is approved, the other rejected', async () => {
    await signUp('willing')
    await signUp('unwilling')
    const page = await browsers.moderator.go('/admin/approvals')
    expect(page.text).toContain('I am &lt;willing&gt;')
    expect((await browsers.moderator.go('/admin')).text).toMatch(/<strong>2<\/strong><span>wait for approval/)
    const waiting = (await people.owner.get('/api/v2/admin/accounts?status=pending')).body
    const idOf = (name: string): string => waiting.find(({ username }: { username: string }) => username === name).id
    for (const path of ['', '/statuses']) {
      expect((await browsers.moderator.go(`/admin/accounts/${idOf('willing')}${path}`)).status).toBe(200)
    }
    const approved = await browsers.moderator.submit(page, {}, `value="approve"><input type="hidden" name="form_once"`)
    expect(notice(approved)).toBe('The sign-up is approved.')
    const left = waiting.filter(({ id }: { id: string }) => approved.text.includes(`name="id" value="${id}"`))
    expect(left).toHaveLength(1)
    const rejected = await browsers.moderator.submit(approved, MEANT, 'value="reject"')
    expect(notice(rejected)).toBe('The sign-up is rejected.')
    expect((await browsers.owner.go('/admin/audit')).text).toMatch(/Rejected<\/strong>[\s\S]*?<span>@\w+<\/span><\/div>/)
    expect(rejected.text).toContain('No one waits.')
    expect([idOf('willing'), idOf('unwilling')]).toContain(left[0].id)
  })

  test('are decided many at once: those that are chosen, and all from one mail domain or network', async () => {
    const waiting = async (): Promise<string[]> =>
      (await people.owner.get('/api/v2/admin/accounts?status=pending')).body.map(({ username }: { username: string }) => username).sort()
    const idOf = async (name: string): Promise<string> => (await people.owner.get(`/api/v2/admin/accounts?username=${name}`)).body[0].id
    for (const name of ['anna', 'bert', 'cora']) await signUp(name)
    for (const name of ['junk_a', 'junk_b', 'junk_c']) await signUp(name, 'spam.example')
    const page = await browsers.moderator.go('/admin/approvals')
    const ids = [await idOf('anna'), await idOf('bert')]
    for (const id of ids) expect(page.text).toContain(`form="chosen" name="account_ids[]" value="${id}"`)
    expect((await browsers.moderator.go('/admin/approvals?choose=all')).text.match(/class="choose"[^>]* checked/g)).toHaveLength(6)
    const all = await browsers.moderator.go('/admin/approvals?choose=all')
    const approved = await browsers.moderator.submit(all, { ...many('account_ids', ids), decision: 'approve' }, 'id="chosen"')
    expect(notice(approved)).toBe('The sign-ups are decided.')
    // The records after the chosen ones are not chosen.
    expect(approved.text).not.toMatch(/class="choose"[^>]* checked/)
    expect(await waiting()).toEqual(['cora', 'junk_a', 'junk_b', 'junk_c'])
    const nothing = await browsers.moderator.submit(approved, { decision: 'reject' }, 'id="chosen"')
    expect([nothing.status, notice(nothing)]).toEqual([422, 'That did not work. Please choose at least one.'])
    expect((await browsers.moderator.go('/admin/approvals?email_domain=spam.example')).text.match(/class="choose"/g)).toHaveLength(3)
    world.clock.advance(16 * 60_000)
    const asked = await browsers.moderator.submit(approved, {}, 'name="email_domain" value="spam.example"')
    expect(heading(asked)).toBe('Are you sure?')
    const rejected = await browsers.moderator.submit(asked, { current_password: 'a_moderator-password' })
    expect(notice(rejected)).toBe('The sign-ups are decided.')
    expect(await waiting()).toEqual(['cora'])
    await browsers.moderator.submit(rejected, MEANT, 'value="reject"')
  })

  test('of someone who was decided on meanwhile are answered in words', async () => {
    await signUp('late')
    const page = await browsers.moderator.go('/admin/approvals')
    await browsers.admin.submit(await browsers.admin.go('/admin/approvals'), MEANT, 'value="reject"')
    await world.idle()
    const answer = await browsers.moderator.submit(page, {}, 'value="approve"')
    expect([answer.status, notice(answer)]).toEqual([404, 'That did not work. It is not there any more, or someone else was faster.'])
  })
})

describe('accounts', () => {
  test('are found by state, name and address', async () => {
    const found = async (query: string) =>
      [...(await browsers.moderator.go(`/admin/accounts?${query}`)).text.matchAll(/href="\/admin\/accounts\/(\d+)"/g)].map(([, id]) => id)
    expect(await found('username=mar')).toEqual([mara.id])
    expect(await found('email=mara@')).toEqual([mara.id])
    const staff = await found('permissions=staff')
    expect(staff).toEqual(expect.arrayContaining([people.moderator.id, people.admin.id, people.owner.id]))
    expect(staff).not.toContain(mara.id)
    const bad = await browsers.moderator.go('/admin/accounts?status=odd')
    expect([bad.status, heading(bad)]).toEqual([400, 'That cannot be read'])
    expect(bad.text).toContain('Unknown status: odd')
  })

  test('show roles in the page’s language, and emojis of names as people see them', async () => {
    const { admin } = browsers
    const form = new FormData()
    const values = {
      form: 'add',
      form_token: formToken(await admin.go(`/admin/accounts/${mara.id}`)),
      form_once: 'tern',
      shortcode: 'tern',
      category: '',
    }
    for (const [name, value] of Object.entries(values)) form.set(name, value)
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    form.set('picture', new File([new Uint8Array(picture)], 'a.png', { type: 'image/png' }))
    expect((await admin.go('/admin/emojis', { method: 'POST', body: form })).status).toBe(303)
    const terns = await world.person('terns', { role: 'moderator', scopes: STAFF_SCOPES })
    await terns.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Terns :tern:' } })
    await people.owner.post('/api/v1/reports', { account_id: terns.id, comment: 'look' })
    const list = await admin.go('/admin/accounts?username=terns&lang=de')
    expect(list.text).toMatch(/Terns <img class="emoji" src="[^"]+" alt=":tern:"[^>]*><\/a> <em class="mark">Moderation<\/em>/)
    expect((await admin.go('/admin/reports')).text).toMatch(/About Terns <img class="emoji"/)
    const page = await admin.go(`/admin/accounts/${terns.id}`)
    expect(page.text).toMatch(/<h1>Terns <img class="emoji" src="([^"]+)"/)
    expect(page.text).toContain('<title>Terns :tern:')
    await people.owner.asks('POST', `/api/v1/admin/accounts/${terns.id}/action`, { body: { type: 'none' } })
    expect(notice(await admin.submit(await admin.go('/admin/emojis'), MEANT, 'value="remove"'))).toBe('Removed.')
  })

  test('turn no words around by their names', async () => {
    const turner = await world.person('turner')
    await turner.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Tur\u202ener\u2067' } })
    const page = await browsers.moderator.go(`/admin/accounts/${turner.id}`)
    expect(heading(page)).toBe('Turner')
    expect(page.text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u)
  })

  test.each(['/admin/accounts?username=%00', '/admin/emojis/remote?domain=%00', '/admin/emojis/remote?after_domain=a&after_shortcode=%00'])(
    'are not looked for by a text that holds a NUL: %s',
    async (path) => {
      const page = await browsers.owner.go(path)
      expect([page.status, heading(page)]).toEqual([400, 'That cannot be read'])
      expect(page.text).toContain('Parameters must not contain NUL characters')
    },
  )

  test('are limited with a text and let go again', async () => {
    const joel = await world.person('joel')
    const path = `/admin/accounts/${joel.id}`
    const limited = await browsers.moderator.submit(
      await browsers.moderator.go(path),
      { type: 'silence', text: 'calm down' },
      'value="warn"',
    )
    expect(notice(limited)).toBe('Done.')
    expect((await people.owner.get(`/api/v1/admin/accounts/${joel.id}`)).body.silenced).toBe(true)
    expect(limited.text).toContain('<em class="mark">Limited</em>')
    await browsers.moderator.submit(limited, {}, 'value="unsilence"')
    expect((await people.owner.get(`/api/v1/admin/accounts/${joel.id}`)).body.silenced).toBe(false)
  })

  test('show the apps that are let in, whose tokens are revoked; not by someone below them', async () => {
    const noor = await world.person('noor')
    const path = `/admin/accounts/${noor.id}`
    expect((await browsers.moderator.go(path)).text).not.toContain('Apps that are let in')
    const page = await browsers.admin.go(path)
    expect(page.text).toContain('Apps that are let in')
    expect((await noor.get('/api/v1/accounts/verify_credentials')).status).toBe(200)
    const revoked = await browsers.admin.submit(page, {}, 'value="revoke"')
    expect([notice(revoked), revoked.text.includes('No app holds a token.')]).toEqual(['The tokens are revoked.', true])
    expect((await noor.get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    const owners = await sends(browsers.admin, `/admin/accounts/${people.owner.id}`, { form: 'revoke' })
    expect([owners.status, notice(owners)]).toEqual([403, 'That did not work. Your role does not permit this.'])
    const { acts } = await world.operator().listActs(innerCall(), { page: { limit: 5 } })
    expect(acts).toContainEqual(expect.objectContaining({ action: 'revoke_tokens', accountId: noor.id, staffId: people.admin.id }))
  })

  test('that are suspended are deleted after the password was given once more', async () => {
    const gone = await world.person('gone')
    const path = `/admin/accounts/${gone.id}`
    world.clock.advance(16 * 60_000)
    const suspended = await browsers.admin.submit(await browsers.admin.go(path), { type: 'suspend', text: '' }, 'value="warn"')
    // Moderators may suspend, which can be undone, but not delete.
    expect((await browsers.moderator.go(path)).text).not.toContain('value="delete"')
    expect((await people.moderator.asks('DELETE', `/api/v1/admin/accounts/${gone.id}`)).status).toBe(403)
    const asked = await browsers.admin.submit(suspended, {}, 'value="delete"')
    expect(heading(asked)).toBe('Are you sure?')
    const wrong = await browsers.admin.submit(asked, { current_password: 'guess' })
    expect([wrong.status, heading(wrong)]).toEqual([401, 'Are you sure?'])
    expect((await people.owner.get(`/api/v1/admin/accounts/${gone.id}`)).status).toBe(200)
    const done = await browsers.admin.submit(wrong, { current_password: 'a_admin-password' })
    expect(notice(done)).toBe('The account is being deleted.')
    await world.idle()
    expect((await people.owner.get(`/api/v1/admin/accounts/${gone.id}`)).status).toBe(404)
  })
})

describe('a second factor', () => {
  const PAGE = '/auth/account/second_factor'
  const SECRET = /<code class="secret">([^<]+)</
  const codeAt = (page: PageAnswer, steps: number) => {
    const letters = (SECRET.exec(page.text)?.[1] ?? '').replaceAll(' ', '')
    const bits = [...letters].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(Math.floor(world.clock.now() / 30_000) + steps))
    const mac = createHmac('sha1', Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2))))
      .update(counter)
      .digest()
    return String((mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
  }

  test('is asked for after the password on the way to the pages, and with it for dangerous acts', async () => {
    await world.person('guarded', { role: 'admin' })
    const gone = await world.person('unwanted')
    const { inside } = await signIn('guarded')
    const setup = await inside.go(PAGE)
    await inside.submit(setup, { current_password: 'guarded-password', code: codeAt(setup, 0) })
    const { inside: other, page: step } = await signIn('guarded', '/admin/reports')
    expect(heading(step)).toBe('Second step')
    expect((await other.go('/admin/reports')).location).toMatch(/^\/auth\/sign_in/)
    expect(heading(await other.submit(step, { code: codeAt(setup, 1) }))).toBe('Reports')
    world.clock.advance(16 * 60_000)
    const path = `/admin/accounts/${gone.id}`
    const asked = await other.submit(await other.go(path), { role: 'moderator' }, 'value="role"')
    expect(asked.text).toContain('name="code"')
    const code = codeAt(setup, 0)
    for (const given of [
      { current_password: 'guarded-password' },
      { current_password: 'guess', code },
      { current_password: 'guarded-password', code: '000000' },
    ]) {
      const wrong = await other.submit(asked, given)
      expect([wrong.status, notice(wrong)]).toEqual([401, 'The password or the code is wrong.'])
    }
    expect(notice(await other.submit(asked, { current_password: 'guarded-password', code }))).toBe('Saved.')
  })
})

describe('reports', () => {
  const report = async (text: string) => {
    const said = await mara.says(text)
    const { body } = await people.user.post('/api/v1/reports', { account_id: mara.id, status_ids: [said.id], comment: `about <${text}>` })
    return body.id as string
  }

  test('show the posts in place, and one click with a text acts and resolves', async () => {
    const id = await report('buy my tea')
    const path = `/admin/reports/${id}`
    const page = await browsers.moderator.go(path)
    expect(page.text).toContain('buy my tea')
    expect(page.text).toContain('about &lt;buy my tea&gt;')
    const acted = await browsers.moderator.submit(page, { type: 'none', text: 'please stop' }, 'value="act"')
    expect(notice(acted)).toBe('Done.')
    const { body } = await people.owner.get(`/api/v1/admin/reports/${id}`)
    expect(body).toMatchObject({ action_taken: true, action_taken_by_account: { id: people.moderator.id } })
    expect((await browsers.moderator.go('/admin/reports?resolved=true')).text).toContain(`href="${path}"`)
  })

  test('show what was deleted or edited since as it was, without a link and without a box', async () => {
    const [rude, sly] = [await mara.says('rude words', { spoiler_text: 'careful' }), await mara.says('sly words')]
    const { body } = await people.user.post('/api/v1/reports', { account_id: mara.id, status_ids: [rude.id, sly.id] })
    const path = `/admin/reports/${body.id}`
    await mara.asks('DELETE', `/api/v1/statuses/${rude.id}`)
    await mara.asks('PUT', `/api/v1/statuses/${sly.id}`, { body: { status: 'kind words' } })
    const { text } = await browsers.moderator.go(path)
    const [now = '', before = ''] = text.split('As they were when reported')
    expect(now).toMatch(/Deleted since<\/em>.*careful.*rude words/s)
    expect(now).toContain('kind words')
    expect(before).toMatch(/Edited since<\/em>.*sly words/s)
    expect(text).not.toContain(`href="${rude.url}"`)
    expect([...text.matchAll(/name="status_ids\[\]" value="(\d+)"/g)].map(([, id]) => id)).toEqual([sly.id])
    await mara.asks('DELETE', `/api/v1/statuses/${sly.id}`)
    const after = await browsers.moderator.go(path)
    expect(after.text).toContain('sly words')
    expect(after.text).not.toContain('delete_statuses')
  })

  test('of two moderators: the second sees that the first deals with it, and both resolve', async () => {
    const path = `/admin/reports/${await report('twice')}`
    const [one, other] = await Promise.all([browsers.moderator.go(path), browsers.admin.go(path)])
    const [assigned] = await Promise.all([browsers.moderator.submit(one, {}, 'value="assign"')])
    expect(notice(assigned)).toBe('The report is yours.')
    expect((await browsers.admin.go(path)).text).toContain('a_moderator is already dealing with this report.')
    const resolved = await Promise.all([
      browsers.moderator.submit(assigned, {}, 'value="resolve"'),
      browsers.admin.submit(other, {}, 'value="resolve"'),
    ])
    expect(resolved.map(notice)).toEqual(['The report is resolved.', 'The report is resolved.'])
    const reopened = await browsers.admin.submit(await browsers.admin.go(path), {}, 'value="reopen"')
    expect(notice(reopened)).toBe('The report is open again.')
  })

  test('are taken and resolved many at once', async () => {
    const ids = [await report('first of many'), await report('second of many')]
    const page = await browsers.moderator.go('/admin/reports')
    const taken = await browsers.moderator.submit(page, { ...many('report_ids', ids), decision: 'assign' }, 'id="chosen"')
    expect(notice(taken)).toBe('The reports are handled.')
    const read = async (id: string) => (await people.owner.get(`/api/v1/admin/reports/${id}`)).body
    for (const id of ids) expect(await read(id)).toMatchObject({ action_taken: false, assigned_account: { id: people.moderator.id } })
    await browsers.moderator.submit(taken, { ...many('report_ids', ids), decision: 'resolve' }, 'id="chosen"')
    for (const id of ids) expect(await read(id)).toMatchObject({ action_taken: true, action_taken_by_account: { id: people.moderator.id } })
  })

  describe('about several people', () => {
    let wren: Person
    let robin: Person
    const go = (query: string) => browsers.moderator.go(`/admin/reports${query}`)
    const linked = ({ text }: PageAnswer) => [...text.matchAll(/href="\/admin\/reports\/(\d+)"/g)].map(([, id]) => id)
    const nextOf = ({ text }: PageAnswer) => /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const about = async (target: Person, category = 'other') =>
      (await people.user.post('/api/v1/reports', { account_id: target.id, category })).body.id as string

    beforeAll(async () => {
      ;({ wren, robin } = await world.cast('wren', 'robin'))
    })

    test('stand together under the person, with the number of those that are open', async () => {
      const [first, alone, last, done] = [await about(wren), await about(robin), await about(wren), await about(robin)]
      await people.moderator.post(`/api/v1/admin/reports/${done}/resolve`)
      const page = await go('')
      expect(linked(page).slice(0, 3)).toEqual([last, first, alone])
      expect(page.text).toContain('<a href="/admin/reports?about=wren">@wren</a>')
      expect(page.text).toContain('<span>Open reports: 2</span>')
      expect(page.text).not.toContain('about=robin')
      const ofWren = await go('?about=@Wren')
      expect(linked(ofWren)).toEqual([last, first])
      expect(ofWren.text).toContain(`href="/admin/accounts/${wren.id}"`)
      expect(ofWren.text).toContain('<span>Open reports: 2</span>')
      expect(linked(await go('?about=robin&resolved=true'))).toEqual([done])
      expect((await browsers.moderator.go(`/admin/reports/${first}`)).text).toContain('href="/admin/reports?about=wren"')
      expect((await browsers.moderator.go(`/admin/accounts/${wren.id}`)).text).toContain('href="/admin/reports?about=wren"')
    })

    test('are found by category and by whom they are assigned to; who is not known has none', async () => {
      const [mine, theirs, legal] = [await about(robin, 'spam'), await about(robin, 'spam'), await about(robin, 'legal')]
      await people.moderator.post(`/api/v1/admin/reports/${mine}/assign_to_self`)
      await people.admin.post(`/api/v1/admin/reports/${theirs}/assign_to_self`)
      expect(linked(await go('?about=robin&category=spam'))).toEqual([theirs, mine])
      expect(linked(await go('?about=robin&assigned=me'))).toEqual([mine])
      expect(linked(await go('?category=spam&assigned=me'))).toEqual([mine])
      expect(linked(await go('?about=robin&category=legal&assigned=none'))).toEqual([legal])
      expect(linked(await go('?about=robin&assigned=none'))).not.toContain(mine)
      for (const unknown of ['nobody', 'nobody@elsewhere.example', '@@', 'a@b@c']) {
        const page = await go(`?about=${encodeURIComponent(unknown)}`)
        expect([page.status, linked(page), page.text.includes('No one here is called that.')]).toEqual([200, [], true])
      }
      expect(linked(await go('?category=none'))).toEqual([])
    })

    test('keep what was asked for from page to page', async () => {
      const ids: string[] = []
      for (let count = 0; count < 42; count++) ids.push(await about(wren, 'violation'))
      const query = 'resolved=&category=violation&assigned=none&about=wren'
      const first = await go(`?${query}`)
      expect(linked(first)).toEqual(ids.toReversed().slice(0, 40))
      const next = new URL(nextOf(first), 'https://rookery.example')
      expect(Object.fromEntries(next.searchParams)).toMatchObject({ category: 'violation', assigned: 'none', about: 'wren' })
      expect(linked(await browsers.moderator.go(next.pathname + next.search))).toEqual(ids.toReversed().slice(40))
      expect(first.text).toMatch(/<option selected value="violation">/)
      expect(first.text).toMatch(/name="about"[^>]* value="wren"/)
    })
  })

  test('change their category, with the rule that was broken', async () => {
    const path = `/admin/reports/${await report('rules')}`
    const [rule] = (await world.get('/api/v1/instance/rules')).body
    const changed = await browsers.moderator.submit(
      await browsers.moderator.go(path),
      { category: 'violation', rule_id: rule.id },
      'value="change"',
    )
    expect(notice(changed)).toBe('Saved.')
    expect(changed.text).toMatch(/<dt>Rules<\/dt><dd>Be kind<\/dd>/)
  })

  test('that there are not are missing', async () => {
    expect((await browsers.moderator.go('/admin/reports/999999')).status).toBe(404)
    expect((await browsers.moderator.go('/admin/reports/none')).status).toBe(404)
    expect((await browsers.moderator.go('/admin/nowhere')).status).toBe(404)
  })
})

describe('failed work', () => {
  const failJob = async () => {
    const [row] = await query(world, `select id::text from statuses_jobs.add_job('verify-link', '{}'::json)`)
    await query(world, `select from statuses_jobs.permanently_fail_jobs(array[$1::bigint], $2)`, [row.id, 'no <page>\nat line 1'])
    return `statuses:${row.id}`
  }

  test('of jobs is shown with its error, due again after one click and deleted after another', async () => {
    const { owner } = browsers
    expect((await owner.go('/admin/failed')).text).toContain('No job has failed for good.')
    const id = await failJob()
    const page = await owner.go('/admin/failed')
    expect(page.text).toContain('<span>no &lt;page&gt;</span>')
    expect(page.text).toContain(id)
    expect((await owner.go('/admin')).text).toMatch(/href="\/admin\/failed"><strong>1<\/strong><span>failed jobs/)
    const retried = await owner.submit(page, { work: id }, 'value="retry"')
    expect([notice(retried), retried.text.includes(id)]).toEqual(['It is due again.', false])
    const again = await owner.submit(page, { ...MEANT, work: id }, 'value="discard"')
    expect([again.status, notice(again)]).toEqual([404, 'That did not work. It is not there any more, or someone else was faster.'])
    const other = await failJob()
    const discarded = await owner.submit(await owner.go('/admin/failed'), { ...MEANT, work: other }, 'value="discard"')
    expect([notice(discarded), discarded.text.includes(other)]).toEqual(['It is deleted.', false])
    expect((await browsers.admin.go('/admin/failed')).status).toBe(403)
  })

  test('of federation is counted on the start page too', async () => {
    const { owner } = browsers
    const [row] = await query(world, `select id::text from federation_jobs.add_job('limit-domain', '{}'::json)`)
    await query(world, `select from federation_jobs.permanently_fail_jobs(array[$1::bigint], $2)`, [row.id, 'unreachable'])
    expect((await owner.go('/admin')).text).toMatch(/href="\/admin\/failed"><strong>1<\/strong><span>failed jobs/)
    const discarded = await owner.submit(await owner.go('/admin/failed'), { ...MEANT, work: `federation:${row.id}` }, 'value="discard"')
    expect(notice(discarded)).toBe('It is deleted.')
  })

  test('of events is acted on again, or deleted', async () => {
    const { owner } = browsers
    const letter = async () => {
      const [row] = await query(
        world,
        `insert into statuses.dead_letter (consumer, event_id, topic, key, envelope, error) values ('statuses.trends', $1, 'statuses.v1', '1', 'x', 'broken')
         returning id::text`,
        [crypto.randomUUID()],
      )
      return `statuses:${row.id}`
    }
    const id = await letter()
    const page = await owner.go('/admin/failed')
    expect(page.text).toContain('<em class="mark">Not an event</em>')
    const replayed = await owner.submit(page, { work: id }, 'value="replay"')
    expect([replayed.status, notice(replayed)]).toEqual([422, expect.stringContaining('It failed again')])
    const discarded = await owner.submit(replayed, { ...MEANT, work: id }, 'value="discardLetter"')
    expect([notice(discarded), discarded.text.includes(id)]).toEqual(['It is deleted.', false])
  })
})

describe('domains', () => {
  test('are limited, changed, let go, and saved as CSV', async () => {
    const { owner } = browsers
    const settings = { domain: 'Noisy.Example', severity: 'silence', public_comment: 'loud, "very"' }
    const added = await owner.submit(await owner.go('/admin/domains'), settings, 'value="add"')
    expect(notice(added)).toBe('Added.')
    const again = await owner.submit(added, { domain: 'noisy.example', severity: 'silence' }, 'value="add"')
    expect([again.status, notice(again)]).toEqual([422, 'That did not work. noisy.example is limited more strictly already.'])
    const path = /href="(\/admin\/domains\/\d+)"/.exec(added.text)?.[1] ?? ''
    const change = { ...MEANT, severity: 'suspend', reject_media: 'true', public_comment: 'loud, "very"' }
    const changed = await owner.submit(await owner.go(path), change, 'value="change"')
    expect(notice(changed)).toBe('Saved.')
    const file = await owner.go('/admin/domains/export.csv')
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(file.text).toBe(
      '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\nnoisy.example,suspend,true,false,"loud, ""very""",false\n',
    )
    expect(notice(await owner.submit(changed, {}, 'value="remove"'))).toBe('Removed.')
    expect((await browsers.moderator.go('/admin/domains/export.csv')).status).toBe(403)
    expect((await browser(world).go('/admin/domains/export.csv')).status).toBe(303)
  })
})

describe('addresses', () => {
  test('are blocked and let go', async () => {
    const { admin } = browsers
    const block = { ip: '192.0.2.0/24', severity: 'sign_up_block', expires_in: '86400' }
    const network = await admin.submit(await admin.go('/admin/addresses/networks'), block, 'value="add"')
    expect(notice(network)).toBe('Added.')
    expect(network.text).toContain('192.0.2.0/24')
    const own = await admin.submit(network, { ip: '127.0.0.1', severity: 'no_access' }, 'value="add"')
    expect([own.status, errors(own)]).toEqual([422, ['Your own address is among these.']])
    expect(notice(await admin.submit(network, {}, 'value="remove"'))).toBe('Removed.')
  })
})

describe('publishers of links that trended', () => {
  test('are shown with what was decided, approved and rejected', async () => {
    const { moderator } = browsers
    await query(world, `insert into statuses.publisher (domain, requested_at) values ('news.example', now())`)
    const page = await moderator.go('/admin/trends/publishers')
    expect([heading(page), page.text.includes('news.example')]).toEqual(['Sites', true])
    const approved = await moderator.submit(page, {}, 'value="approve"')
    expect([notice(approved), approved.text.includes('<em class="mark">Approved</em>')]).toEqual(['It may trend.', true])
    const rejected = await moderator.submit(approved, {}, 'value="reject"')
    expect([notice(rejected), rejected.text.includes('<em class="mark">Rejected</em>')]).toEqual(['It does not trend any more.', true])
  })
})

describe('announcements', () => {
  test('are made once, shown, withdrawn, changed and deleted, and logged', async () => {
    const { admin } = browsers
    const announced = async () => (await mara.get('/api/v1/announcements')).body.map(({ content }: { content: string }) => content)
    const page = await admin.go('/admin/announcements')
    const first = await admin.submit(page, { text: 'We are back', publication: 'now' }, 'value="create"')
    await admin.submit(page, { text: 'We are back', publication: 'now' }, 'value="create"')
    expect(notice(first)).toBe('Added.')
    expect(await announced()).toEqual(['<p>We are back</p>'])
    const bad = await admin.submit(first, { text: 'Back', starts_at: 'soon' }, 'value="create"')
    expect([bad.status, errors(bad)]).toEqual([422, ['This is not valid.']])
    expect(notice(await admin.submit(first, {}, 'value="withdraw"'))).toBe('It is not shown any more.')
    expect(await announced()).toEqual([])
    const path = /href="(\/admin\/announcements\/\d+)"/.exec(first.text)?.[1] ?? ''
    const changed = await admin.submit(await admin.go(path), { text: 'We are back again', ends_at: '2999-01-01T10:00' }, 'value="change"')
    expect(notice(changed)).toBe('Saved.')
    await admin.submit(changed, {}, 'value="publish"')
    expect(await announced()).toEqual(['<p>We are back again</p>'])
    expect(notice(await admin.submit(changed, MEANT, 'value="delete"'))).toBe('Removed.')
    await world.idle()
    const log = await admin.go('/admin/audit')
    for (const words of ['Made an announcement', 'Withdrew an announcement', 'Deleted an announcement', '@a_admin']) {
      expect(log.text).toContain(words)
    }
  })
})

describe('settings', () => {
  test('change what the server says of itself; what is set back to the environment follows it again', async () => {
    const { owner } = browsers
    const page = await owner.go('/admin/settings')
    const texts = {
      title: 'The nest',
      short_description: 'Tea & talk',
      extended_description: '# Who\r\n\r\n- birds',
      privacy_policy: 'We keep little.',
    }
    const changed = await owner.submit(page, { ...texts, contact_account: '@a_owner', contact_email: '' }, 'value="change"')
    expect(notice(changed)).toBe('Saved.')
    const instance = (await world.get('/api/v2/instance')).body
    expect(instance).toMatchObject({ title: 'The nest', description: 'Tea & talk' })
    expect((await world.get('/api/v1/instance/extended_description')).body.content).toBe('<h2>Who</h2>\n<ul>\n<li>birds</li>\n</ul>')
    expect((await world.get('/api/v1/instance/privacy_policy')).body.content).toBe('<p>We keep little.</p>')
    const bad = await owner.submit(changed, { title: ' ', contact_email: 'nowhere' }, 'value="change"')
    expect([bad.status, errors(bad)]).toEqual([422, ['Please fill this in.', 'This is not valid.']])
    const nameless = await owner.submit(changed, { ...texts, contact_account: 'no_one' }, 'value="change"')
    expect([nameless.status, errors(nameless)]).toEqual([422, ['There is nothing of this name.']])
    const back = {
      title: 'Rookery',
      short_description: '',
      extended_description: '',
      privacy_policy: '',
      contact_account: '',
      contact_email: '',
    }
    await owner.submit(changed, back, 'value="change"')
    expect((await world.get('/api/v2/instance')).body.title).toBe('Rookery')
    expect((await world.get('/api/v1/instance/privacy_policy')).body.content).not.toBe('<p>We keep little.</p>')
  })

  test('keep the rules of the environment when one is added, changed and removed', async () => {
    const { admin } = browsers
    const rules = async () =>
      (await world.get('/api/v1/instance/rules')).body.map(({ id, text }: { id: string; text: string }) => [id, text])
    const before = await rules()
    const added = await admin.submit(await admin.go('/admin/settings/rules'), { text: 'Sing', hint: 'At dawn' }, 'value="add"')
    expect(notice(added)).toBe('Added.')
    expect(await rules()).toEqual([...before, [expect.any(String), 'Sing']])
    const changed = await admin.submit(added, { text: 'Be very kind' }, 'value="change"')
    expect((await rules())[0]).toEqual(['1', 'Be very kind'])
    await admin.submit(changed, MEANT, 'value="remove"')
    expect((await rules()).map(([, text]: [string, string]) => text)).toEqual(['No selling', 'Sing'])
    const empty = await admin.submit(added, { text: ' ' }, 'value="add"')
    expect([empty.status, errors(empty)]).toEqual([422, ['Please fill this in.']])
    await world.idle()
    const log = await admin.go('/admin/audit')
    for (const words of ['Added a rule', 'Changed a rule', 'Removed a rule', 'Changed the settings of the server', 'Limited a domain']) {
      expect(log.text).toContain(words)
    }
  })
})

describe('appearance', () => {
  const square = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })
      .png()
      .toBuffer()

  const sends = async (kind: string, bytes: Buffer, name = 'picture.png') => {
    const page = await browsers.admin.go('/admin/settings/appearance')
    const body = new FormData()
    for (const [field, value] of Object.entries({ form: 'picture', form_token: formToken(page), form_once: crypto.randomUUID(), kind }))
      body.set(field, value)
    body.set('picture', new File([new Uint8Array(bytes)], name, { type: 'image/png' }))
    return browsers.admin.go('/admin/settings/appearance', { method: 'POST', body })
  }

  test('is changed: name and color, picture and icon; everyone sees them, until they are set back', async () => {
    const { admin } = browsers
    const instance = async () => (await world.get('/api/v2/instance')).body
    const before = await instance()
    expect(before.icon).toEqual([])
    const named = await admin.submit(await admin.go('/admin/settings/appearance'), { title: 'Birds', color: '#aa3300' }, 'value="change"')
    expect(notice(named)).toBe('Saved.')
    expect((await world.get('/manifest.json')).body).toMatchObject({ name: 'Birds', theme_color: '#aa3300' })
    expect((await sends('thumbnail', await square(100))).status).toBe(303)
    expect((await sends('icon', await square(96))).status).toBe(303)
    const { thumbnail, icon } = await instance()
    expect([thumbnail.blurhash, icon]).toEqual([null, [{ src: expect.stringContaining('/instance/icon?v='), size: '96x96' }]])
    const shown = await world.get(new URL(thumbnail.url).pathname + new URL(thumbnail.url).search)
    expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
      200,
      'image/png',
      'public, max-age=31536000, immutable',
    ])
    expect((await browser(world).go('/about')).text).toContain(`<img class="banner" src="${thumbnail.url}"`)
    expect((await world.get('/api/v1/instance')).body.thumbnail).toBe(thumbnail.url)
    for (const kind of ['thumbnail', 'icon']) {
      const page = await admin.go('/admin/settings/appearance')
      expect(notice(await admin.submit(page, {}, `name="kind" value="${kind}"><input type="hidden" name="reset"`))).toBe('Saved.')
    }
    await admin.submit(await admin.go('/admin/settings/appearance'), { title: before.title, color: '#3a4fc4' }, 'value="change"')
    expect(await instance()).toMatchObject({ title: before.title, thumbnail: before.thumbnail, icon: [] })
  })

  test('refuses what is no picture, what is too small and a color that is none', async () => {
    for (const [kind, bytes, said] of [
      ['thumbnail', Buffer.from('<svg onload="x()"></svg>'.repeat(4)), 'Files of this type are not accepted.'],
      ['icon', await square(10), 'This picture is too small: at least 64 pixels on each side.'],
    ] as const) {
      const answer = await sends(kind, bytes)
      expect([answer.status, errors(answer)]).toEqual([422, [said]])
    }
    const nothing = await browsers.admin.submit(await browsers.admin.go('/admin/settings/appearance'), {}, 'name="kind" value="icon"')
    expect([nothing.status, errors(nothing)]).toEqual([422, ['Please fill this in.']])
    const { admin } = browsers
    const answer = await admin.submit(await admin.go('/admin/settings/appearance'), { color: 'red' }, 'value="change"')
    expect([answer.status, errors(answer)]).toEqual([422, ['This is not valid.']])
  })
})

describe('terms of service', () => {
  test('are published from a day on, shown to everyone, and deleted after the password', async () => {
    const { owner } = browsers
    const page = await owner.go('/admin/settings/terms')
    expect(page.text).toContain('There are no terms of service.')
    const refused = await owner.submit(page, { text: 'kept words', effective_on: '2020-01-01' }, 'value="publish"')
    expect([refused.status, refused.text.includes('kept words')]).toEqual([422, true])
    const published = await owner.submit(refused, { text: 'Be kind to all.', effective_on: '' }, 'value="publish"')
    expect([notice(published), published.text.includes('<em class="mark">In force</em>')]).toEqual(['It is shown to everyone.', true])
    expect((await world.get('/api/v1/instance/terms_of_service')).body.content).toBe('<p>Be kind to all.</p>')
    expect((await world.asks('GET', '/about', { headers: { accept: 'text/html' } })).text).toContain(
      '<a href="/terms-of-service">Terms of service</a>',
    )
    world.clock.advance(16 * 60_000)
    world.clock.advance(60_000)
    expect((await browser(world).go('/about')).text).toContain('<a href="/terms-of-service">Terms of service</a><a href="/settings">')
    const asked = await owner.submit(published, {}, 'value="remove"')
    expect(heading(asked)).toBe('Are you sure?')
    expect(notice(await owner.submit(asked, { current_password: 'a_owner-password' }))).toBe('Removed.')
    expect((await world.get('/api/v1/instance/terms_of_service')).status).toBe(404)
  })
})

describe('emojis', () => {
  const picture = () =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
  const sends = async (page: PageAnswer, shortcode: string, bytes: Buffer) => {
    const form = new FormData()
    const values = { form: 'add', form_token: formToken(page), form_once: `${shortcode}-once`, shortcode, category: 'birds' }
    for (const [name, value] of Object.entries(values)) form.set(name, value)
    form.set('picture', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }))
    return browsers.admin.go('/admin/emojis', { method: 'POST', body: form })
  }
  const shown = async () =>
    (await world.get('/api/v1/custom_emojis')).body.map((emoji: { shortcode: string; category?: string }) => [
      emoji.shortcode,
      emoji.category,
    ])

  test('are uploaded, copied, put into a category, hidden and removed', async () => {
    const { admin } = browsers
    const page = await admin.go('/admin/emojis')
    expect((await sends(page, 'wren', await picture())).location).toBe('/admin/emojis?done=added')
    const refused = await sends(page, 'owl', Buffer.from('no picture'))
    expect([refused.status, notice(refused)]).toEqual([422, expect.stringContaining('That did not work.')])
    expect((await sends(page, '!', await picture())).status).toBe(422)
    expect(await shown()).toEqual([['wren', 'birds']])
    const copied = await admin.submit(await admin.go('/admin/emojis'), { new_shortcode: 'zaunkoenig' }, 'value="copy"')
    expect(notice(copied)).toBe('Added.')
    const again = await admin.submit(copied, { new_shortcode: 'zaunkoenig' }, 'value="copy"')
    expect([again.status, errors(again)]).toEqual([422, ['This is there already.']])
    await admin.submit(copied, { category: '', visible_in_picker: 'true' }, 'value="change"')
    expect(await shown()).toEqual([
      ['zaunkoenig', 'birds'],
      ['wren', undefined],
    ])
    await admin.submit(copied, { category: '', visible_in_picker: 'false' }, 'value="change"')
    expect(await shown()).toEqual([['zaunkoenig', 'birds']])
    expect(notice(await admin.submit(await admin.go('/admin/emojis'), MEANT, 'value="remove"'))).toBe('Removed.')
  })
})

describe('roles', () => {
  test('are given by owners and admins, with the password; the last owner cannot be demoted', async () => {
    world.clock.advance(16 * 60_000)
    const { owner, admin } = browsers
    const path = `/admin/accounts/${mara.id}`
    const asked = await admin.submit(await admin.go(path), { role: 'moderator' }, 'value="role"')
    expect(heading(asked)).toBe('Confirm with your password')
    const done = await admin.submit(asked, { current_password: 'a_admin-password' })
    expect(notice(done)).toBe('Saved.')
    expect(done.text).toContain('<em class="mark">Moderator</em>')
    const refused = await admin.submit(await admin.go(path), { role: 'owner' }, 'value="role"')
    expect([refused.status, notice(refused)]).toEqual([403, 'That did not work. Your role does not permit this.'])
    const own = await owner.submit(await owner.go(`/admin/accounts/${people.owner.id}`), { role: 'user' }, 'value="role"')
    const last = await owner.submit(own, { current_password: 'a_owner-password' })
    expect([last.status, notice(last)]).toEqual([
      403,
      'That did not work. This is the last owner, who can be neither demoted, suspended, disabled nor deleted.',
    ])
    expect(notice(await owner.submit(await owner.go(path), { role: 'user' }, 'value="role"'))).toBe('Saved.')
    const odd = await owner.submit(await owner.go(path), { role: 'king' }, 'value="role"')
    expect([odd.status, errors(odd)]).toEqual([422, ['Please choose something from the list.']])
    expect((await browsers.moderator.go(path)).text).not.toContain('value="role"')
  })
})

describe('lists of domains', () => {
  const sends = async (text: string, name = 'list.csv') => {
    const page = await browsers.owner.go('/admin/domains/imports')
    const form = new FormData()
    const values = { form: 'import', form_token: formToken(page), form_once: `${name}-${text.length}` }
    for (const [field, value] of Object.entries(values)) form.set(field, value)
    form.set('list', new File([text], name, { type: 'text/csv' }))
    return browsers.owner.go('/admin/domains/imports', { method: 'POST', body: form })
  }

  test('are worked off by a job in parts, with progress; what is there stays, and what is no domain is counted', async () => {
    await people.owner.post('/api/v1/admin/domain_blocks', { domain: 'known.example', severity: 'silence' })
    const lines = Array.from({ length: 2400 }, (_, number) => `spam${number}.example,silence,true,false,"spam, ${number}",false`)
    const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'
    const sent = await sends([header, 'known.example,suspend', 'no domain,silence', 'spam0.example,silence', ...lines].join('\r\n'))
    expect(sent.location).toBe('/admin/domains/imports?done=importing')
    expect((await browsers.owner.go('/admin/domains/imports')).text).toContain('Lines: 0 of 2,403')
    await world.advance(1000)
    const page = await browsers.owner.go('/admin/domains/imports')
    expect(page.text).toContain('Lines: 2,403 of 2,403')
    expect(page.text).toContain('New: 2,400 · known: 2 · not understood: 1')
    expect(page.text).toContain('<em class="mark">Finished</em>')
    const file = (await browsers.owner.go('/admin/domains/export.csv')).text.trimEnd().split('\n')
    expect(file).toHaveLength(2402)
    expect(file).toContain('spam2399.example,silence,true,false,"spam, 2399",false')
    expect(file).toContain('known.example,silence,false,false,,false')
    expect((await browsers.owner.go('/admin/audit')).text).toContain('Imported a list of domains')
  })

  test('with a NUL are taken, and the line that has it is not understood', async () => {
    expect((await sends('nul\0.example\nfine.example\n', 'nul.csv')).location).toBe('/admin/domains/imports?done=importing')
    await world.advance(1000)
    expect((await browsers.owner.go('/admin/domains/imports')).text).toContain('New: 1 · known: 0 · not understood: 1')
  })

  test('that are empty or no file are refused in words', async () => {
    const empty = await sends('\n', 'empty.csv')
    expect([empty.status, errors(empty)]).toEqual([422, ['Please fill this in.']])
    const page = await browsers.owner.submit(await browsers.owner.go('/admin/domains/imports'), {}, 'value="import"')
    expect(page.status).toBe(422)
  })
})
