import { callWithin } from '@rookery/rpc/call-within'
import { type Person, World } from '@rookery/test-world'
import { Browser, letterText, startMailServer } from '@rookery/test-world/outside'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

// Sign-ups notify those who manage users (spec, Notification types; beyond-the-spec 1.1, 1.14).

let world: World
let mara: Person
let moderator: Person
let owner: Person
beforeAll(async () => {
  world = await World.open()
  mara = await world.person('mara')
  moderator = await world.person('moderator', { role: 'moderator' })
  owner = await world.person('owner', { role: 'owner' })
})
afterAll(() => world.close())

const sent = (username: string) => ({
  username,
  email: `${username}@example.org`,
  password: `${username} knows`,
  locale: 'en',
  reason: 'tea',
})
const signsUp = async (username: string, at = world) => {
  const answer = await at.asks('POST', '/api/v1/accounts', {
    token: await at.appToken('read write'),
    body: { ...sent(username), agreement: true },
  })
  expect(answer.status).toBe(200)
  await at.idle()
}
const notified = async (person: Person, at = world) => {
  await at.idle()
  const rows: { type: string; account: { username: string } }[] = await person.notifications('?types[]=admin.sign_up')
  return rows.map(({ account }) => account.username)
}

test('a sign-up by an app or on the page notifies those who manage users, live too, and no others', async () => {
  const listening = await moderator.listens('user:notification')
  await signsUp('joel')
  const frame = await listening.hears(({ event }) => event === 'notification')
  const live = JSON.parse(frame.payload!)
  expect(live).toMatchObject({ type: 'admin.sign_up', account: { username: 'joel' } })
  expect(live).not.toHaveProperty('status')
  const [notification] = await moderator.notifications('?types[]=admin.sign_up')
  expect(notification).toEqual(live)

  const browser = new Browser({ base: world.origin, server: world.origin })
  await browser.submit(await browser.visit('/auth/sign_up'), { ...sent('ines'), agreement: 'true' })
  for (const manager of [moderator, owner]) expect(await notified(manager)).toEqual(['ines', 'joel'])
  expect(await notified(mara)).toEqual([])
  await listening.close()
})

test('an account that an operator opens is no sign-up', async () => {
  const before = await notified(owner)
  await world.person('made')
  expect(await notified(owner)).toEqual(before)
})

test('it is notified once the address is confirmed, while the account may still wait for approval, and only once', async () => {
  const mail = await startMailServer()
  const strict = await World.open({ settings: { REGISTRATIONS: 'approval', CONFIRMATION: 'mail', SMTP_URL: mail.url.reveal() } })
  onTestFinished(async () => {
    await strict.close()
    await mail.close()
  })
  const boss = await strict.person('boss', { role: 'admin' })
  await signsUp('joel', strict)
  await strict.advance(0)
  expect(await notified(boss, strict)).toEqual([])

  const link = /https?:\S+\/auth\/confirmation\?token=[\w-]{43}/.exec(letterText(mail.letters.at(-1)!))?.[0] ?? ''
  const browser = new Browser({ base: strict.origin, server: strict.origin })
  const page = await browser.visit(link)
  for (let times = 0; times < 2; times++) await browser.submit(page, {})
  expect(await notified(boss, strict)).toEqual(['joel'])
  expect(await query(strict, `select is_active from statuses.account where username = 'joel'`)).toEqual([{ is_active: false }])

  const call = callWithin(30, 'sign-up')
  await strict.operator().approve(call, { username: 'joel' })
  await strict.advance(0)
  expect(await notified(boss, strict)).toEqual(['joel'])
})

test('it goes with the account', async () => {
  await signsUp('sevi')
  expect(await notified(owner)).toContain('sevi')
  const call = callWithin(30, 'sign-up')
  await world.operator().deleteAccount(call, { username: 'sevi' })
  await world.advance(0)
  expect(await notified(owner)).not.toContain('sevi')
})
