import { Browser, letterText, type Person, STAFF_SCOPES, startMailServer, World } from '@rookery/test-world'
import { innerCall } from '@rookery/test-world/calls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Staff get mail about what waits for them: reports, appeals, and sign-ups that wait for approval.

const HOUR = 3_600_000
const PAGE = '/auth/account/mail'

let world: World
let mail: Awaited<ReturnType<typeof startMailServer>>
let moderator: Person
let admin: Person
let mara: Person
let joel: Person
let number = 0

beforeAll(async () => {
  mail = await startMailServer()
  world = await World.open({ settings: { SMTP_URL: mail.url.reveal(), REGISTRATIONS: 'approval', CONFIRMATION: 'automatic' } })
  moderator = await world.person('moderator', { role: 'moderator', scopes: STAFF_SCOPES })
  admin = await world.person('an_admin', { role: 'admin', scopes: STAFF_SCOPES })
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
// What was sent before, and what is to come an hour later, is of the tests before.
beforeEach(async () => {
  for (const { id } of (await moderator.get('/api/v1/admin/reports')).body) await moderator.post(`/api/v1/admin/reports/${id}/resolve`)
  await world.advance(HOUR)
  await world.advance(HOUR)
  mail.letters.splice(0)
})
afterAll(async () => {
  await world.close()
  await mail.close()
})

const reports = async (target: Person = joel, comment = 'a secret comment') => {
  const said = await target.says('secret words')
  const { status, body } = await mara.post('/api/v1/reports', { account_id: target.id, status_ids: [said.id], comment })
  expect(status).toBe(200)
  return body.id as string
}
const signsUp = async () => {
  const username = `wren${++number}`
  const form = { username, email: `${username}@example.org`, password: `${username}-password`, agreement: true, reason: 'a secret reason' }
  const headers = { Authorization: `Bearer ${await world.appToken()}` }
  const answer = await world.asks('POST', '/api/v1/accounts', { body: { ...form, locale: 'en' }, headers })
  expect(answer.status).toBe(200)
  return username
}
/** The letters since the last look: to whom, about what, and the text. */
const letters = async (after = 0) => {
  await world.advance(after)
  return mail.letters.splice(0).map((letter) => ({
    to: letter.to[0]!.split('@')[0]!,
    subject: /^Subject:(.*(?:\n[ \t].*)*)/im.exec(letter.text)![1]!.replace(/\n\s+/g, ' ').trim(),
    text: letterText(letter),
    unsubscribe: /^List-Unsubscribe:\s*<([^>]+)>/im.exec(letter.text.replace(/\n[ \t]+/g, ' '))?.[1] ?? '',
  }))
}
const to = (found: Awaited<ReturnType<typeof letters>>) => found.map((letter) => letter.to).toSorted()
const host = () => new URL(world.origin).host
const browserOf = async ({ username }: Person) => {
  const browser = new Browser({ base: world.origin, server: world.origin })
  await browser.submit(await browser.visit('/auth/sign_in'), { email: `${username}@example.org`, password: `${username}-password` })
  return browser
}
const boxes = ({ text }: { text: string }) =>
  Object.fromEntries(
    [...text.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([box]) => [/name="(\w+)"/.exec(box)![1], box.includes(' checked')]),
  )

describe('a report', () => {
  test('is mailed to those who manage reports: about whom and by whom, with its page, and nothing of what was said', async () => {
    const id = await reports()
    const found = await letters()
    expect(to(found)).toEqual(['an_admin', 'moderator'])
    for (const { subject, text, unsubscribe } of found) {
      expect(subject).toBe(`Reports wait on ${host()}`)
      expect(text).toContain(`Open reports on ${host()}: 1.`)
      expect(text).toContain(`About @joel, filed by @mara\n${world.origin}/admin/reports/${id}`)
      expect(text).toContain(unsubscribe)
      expect(text).not.toContain('secret')
    }
  })

  test('is one of many: a person gets one mail an hour, and the next says how many wait', async () => {
    for (let count = 0; count < 12; count++) await reports()
    const first = await letters()
    expect(to(first)).toEqual(['an_admin', 'moderator'])
    for (let count = 0; count < 3; count++) await reports()
    expect(await letters()).toEqual([])
    expect(await letters(HOUR / 2)).toEqual([])
    const next = await letters(HOUR / 2)
    expect(to(next)).toEqual(['an_admin', 'moderator'])
    expect(next[0]!.text).toContain(`Open reports on ${host()}: 15.`)
    expect(next[0]!.text.match(/About @joel/g)).toHaveLength(10)
    expect(next[0]!.text).toContain('And 5 more.')
    expect(await letters(HOUR)).toEqual([])
  })

  test('that is resolved before the next mail is due is mailed to no one', async () => {
    await reports()
    expect(to(await letters())).toEqual(['an_admin', 'moderator'])
    const [open] = (await moderator.get('/api/v1/admin/reports')).body
    for (const id of [open.id, await reports()]) await moderator.post(`/api/v1/admin/reports/${id}/resolve`)
    expect(await letters(HOUR)).toEqual([])
    await reports()
    expect(to(await letters())).toEqual(['an_admin', 'moderator'])
  })

  test('is written of in the language of who gets the mail', async () => {
    const berta = await world.person('berta', { role: 'moderator' })
    await world.query("update auth.login set locale = 'de' where account_id = $1", [berta.id])
    await reports()
    const own = (await letters()).find((letter) => letter.to === 'berta')!
    expect(own.subject).toBe(`Auf ${host()} warten Meldungen`)
    expect(own.text).toContain('Über @joel, gemeldet von @mara')
    await world.operator().setRole(innerCall(), { username: 'berta', role: 'user' })
  })

  test('is not mailed to those who have no role any more', async () => {
    await world.person('former', { role: 'moderator' })
    await world.operator().setRole(innerCall(), { username: 'former', role: 'user' })
    await reports()
    expect(to(await letters())).toEqual(['an_admin', 'moderator'])
  })
})

test('an appeal is mailed to those who manage appeals', async () => {
  await moderator.post(`/api/v1/admin/accounts/${joel.id}/action`, { type: 'none', text: 'be kind' })
  await world.idle()
  const [notified] = await joel.notifications('?types[]=moderation_warning')
  await world.advance(0)
  mail.letters.splice(0)
  const browser = await browserOf(joel)
  const page = await browser.visit(`/disputes/strikes/${notified.moderation_warning.id}`)
  await browser.submit(page, { text: 'a secret plea' })
  const found = (await letters()).filter(({ subject }) => subject.includes('Appeals'))
  expect(to(found)).toEqual(['an_admin'])
  expect(found[0]!.text).toContain(`Appeals to decide on ${host()}: 1.`)
  expect(found[0]!.text).toContain(`@joel\n\n${world.origin}/admin/appeals`)
  expect(found[0]!.text).not.toContain('secret')
})

test('a sign-up that waits for approval is mailed to those who manage users', async () => {
  const name = await signsUp()
  const found = (await letters()).filter(({ to: name }) => !name.startsWith('wren'))
  expect(to(found)).toEqual(['an_admin', 'moderator'])
  expect(found[0]!.subject).toBe(`Sign-ups wait for approval on ${host()}`)
  expect(found[0]!.text).toMatch(new RegExp(`@${name}\n${world.origin}/admin/accounts/\\d+`))
  expect(found[0]!.text).toContain(`${world.origin}/admin/approvals`)
  expect(found[0]!.text).not.toContain('secret')
})

describe('the page of mails', () => {
  test('offers each kind to those whose role can deal with it, on until it is turned off', async () => {
    const own = { mention: false, follow: false, followRequest: false, digest: false }
    expect(boxes(await (await browserOf(mara)).visit(PAGE))).toEqual(own)
    expect(boxes(await (await browserOf(moderator)).visit(PAGE))).toEqual({ ...own, report: true, pendingAccount: true })
    expect(boxes(await (await browserOf(admin)).visit(PAGE))).toEqual({ ...own, report: true, appeal: true, pendingAccount: true })
  })

  test('turns a kind off, and leaves what it does not show', async () => {
    const browser = await browserOf(moderator)
    const saved = await browser.submit(await browser.visit(PAGE), { pendingAccount: 'true' })
    expect(boxes(saved)).toMatchObject({ report: false, pendingAccount: true })
    await reports()
    expect(to(await letters())).toEqual(['an_admin'])
    await world.operator().setRole(innerCall(), { username: 'moderator', role: 'admin' })
    expect(boxes(await (await browserOf(moderator)).visit(PAGE))).toMatchObject({ report: false, appeal: true })
    await world.operator().setRole(innerCall(), { username: 'moderator', role: 'moderator' })
  })

  test('is not needed by the link of a mail, which ends its kind for who never chose', async () => {
    const cleo = await world.person('cleo', { role: 'moderator' })
    await reports()
    const own = (await letters()).find((letter) => letter.to === 'cleo')!
    const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    const answer = await fetch(own.unsubscribe, { method: 'POST', body: form, redirect: 'manual' })
    expect(answer.status).toBe(200)
    expect(boxes(await (await browserOf(cleo)).visit(PAGE))).toMatchObject({ report: false, pendingAccount: true })
    await reports()
    expect(to(await letters(HOUR))).not.toContain('cleo')
  })
})

test('a server without a mail server makes no mails', async () => {
  const silent = await World.open()
  try {
    await silent.person('moderator', { role: 'moderator' })
    const people = await silent.cast('mara', 'joel')
    expect((await people.mara.post('/api/v1/reports', { account_id: people.joel.id })).status).toBe(200)
    await silent.advance(0)
    expect(await silent.query('select kind from auth.staff_mail_round')).toEqual([])
  } finally {
    await silent.close()
  }
})
