import { letterText, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Harness, openHarness } from './harness.ts'
import { heading, INVITES, invites, newcomer } from './inviting.ts'

// Sign-ups by an invitation that stop half-way, because statuses cannot be reached.

let harness: Harness
let mail: Awaited<ReturnType<typeof startMailServer>>
let people = 0
beforeAll(async () => {
  mail = await startMailServer()
  harness = await openHarness({ config: { registrations: 'closed', confirmation: 'mail', smtpUrl: mail.url, hasRateLimits: false } })
})
afterAll(async () => {
  await harness.close()
  await mail.close()
})

const newName = () => `wren${++people}`

/** Someone with an invitation that lets one person in. */
const someone = async () => {
  const person = await harness.person(newName())
  const inside = harness.browser()
  await inside.submit(await inside.visit('/auth/sign_in'), { email: person.email, password: person.password })
  return { person, inside, code: await invites(inside, { max_uses: '1', autofollow: 'true' }) }
}

const comesBy = async (code: string, name: string) => {
  const visitor = harness.browser()
  return visitor.submit(await visitor.visit(`/invite/${code}`), newcomer(name))
}

const idOf = async (name: string) =>
  (await harness.rows(`select account_id::text id from auth.login where email = '${name}@example.org'`))[0]?.id as string | undefined
const usesOf = async (code: string) => (await harness.rows(`select uses from auth.invite where code = '${code}'`))[0].uses
const followersOf = (id: string) => harness.rows(`select account_id::text id from statuses.follow where target_id = ${id}`)

describe('a sign-up by an invitation that stops half-way', () => {
  it.each([
    ['before the account is there', { call: 'open' }],
    ['once the account is there', { call: 'open', after: true }],
  ] as const)('%s, is finished by the job, and uses the invitation once', async (_when, breaking) => {
    const { code } = await someone()
    const name = newName()
    harness.statuses.breaking = breaking
    expect((await comesBy(code, name)).status).toBe(503)
    expect(await usesOf(code)).toBe(0)
    harness.statuses.breaking = undefined
    await harness.runJobs()
    await harness.runJobs()
    expect([await usesOf(code), typeof (await idOf(name))]).toEqual([1, 'string'])
  })

  it('is undone by the job where the invitation is no good by then, and the name is free', async () => {
    const { code, inside } = await someone()
    const name = newName()
    harness.statuses.breaking = { call: 'open', after: true }
    await comesBy(code, name)
    harness.statuses.breaking = undefined
    await inside.submit(await inside.visit(INVITES), {}, `${INVITES}/end`)
    await harness.runJobs()
    expect([await usesOf(code), await idOf(name)]).toEqual([0, undefined])
    expect(await harness.rows('select 1 from auth.sign_up_attempt')).toEqual([])
    expect(await harness.rows('select last_error from auth_jobs._private_jobs where last_error is not null')).toEqual([])
    expect((await harness.statuses.accounts()).map(({ username }) => username)).not.toContain(name)
    expect(heading(await comesBy((await someone()).code, name))).toBe('Look into your mail')
  })
})

it('who is let in while statuses cannot hear of it follows whose invitation it was later, once', async () => {
  const { person, code } = await someone()
  const name = newName()
  await comesBy(code, name)
  await harness.runJobs()
  const visitor = harness.browser()
  const link = /http\S+token=\S+/.exec(letterText(mail.letters.findLast(({ to }) => to.includes(`${name}@example.org`))!))![0]
  harness.statuses.breaking = { call: 'setActive' }
  await visitor.submit(await visitor.visit(link), {})
  await harness.runJobs()
  expect(await followersOf(person.id)).toEqual([])
  harness.statuses.breaking = undefined
  await harness.runJobs()
  expect(await followersOf(person.id)).toEqual([{ id: await idOf(name) }])
  await harness.runJobs()
  expect(await followersOf(person.id)).toHaveLength(1)
})
