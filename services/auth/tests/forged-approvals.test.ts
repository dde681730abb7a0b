import { createHash } from 'node:crypto'
import type { Browser, PageAnswer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientApp, call, codeOf, type Harness, openHarness, type Person } from './harness.ts'

let harness: Harness
let app: ClientApp
let other: ClientApp
let mara: Person
let joel: Person

beforeAll(async () => {
  harness = await openHarness({ config: { hasRateLimits: false } })
  app = await harness.registerApp('elk://x')
  other = await harness.registerApp('https://elsewhere.example/cb')
  mara = await harness.person('mara')
  joel = await harness.person('joel')
})
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
})

/** The page on which a person is asked to approve `app` with the scope `read`, in their browser. */
const askedIn = async (browser: Browser, person: Person): Promise<PageAnswer> => {
  const query = { response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read', state: 'asked' }
  const page = await browser.visit(`/oauth/authorize?${new URLSearchParams(query)}`)
  return page.text.includes('name="password"') ? browser.submit(page, { email: person.email, password: person.password }) : page
}

const actionOf = ({ text }: PageAnswer): string => /action="([^"]+\/approve)"/.exec(text)?.[1] ?? ''

const tokenOf = ({ text }: PageAnswer): string => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

const send = (browser: Browser, action: string, form: Record<string, string> | string) =>
  browser.go(action, { method: 'POST', body: new URLSearchParams(form) })

/** Refused where it was sent, and no code waits for anyone. */
const expectNoCode = async (answer: PageAnswer, status: number) => {
  expect(answer).toMatchObject({ status, location: undefined })
  expect(await harness.rows("select model from auth.oidc_artifact where model = 'AuthorizationCode'")).toEqual([])
}

describe('an approval that the person did not give', () => {
  it.each(['', 'x'.repeat(43), 'ä'.repeat(43)])('is refused with the form token %o', async (form_token) => {
    const browser = harness.browser()
    const page = await askedIn(browser, mara)
    await expectNoCode(await send(browser, actionOf(page), { form_token, answer: 'allow' }), 403)
  })

  it("is refused with the form token of another's browser", async () => {
    const browser = harness.browser()
    const page = await askedIn(browser, mara)
    const foreign = tokenOf(await askedIn(harness.browser(), joel))
    expect(foreign).not.toBe('')
    await expectNoCode(await send(browser, actionOf(page), { form_token: foreign, answer: 'allow' }), 403)
  })

  it('is refused where it was not asked: in a browser of another person, and in one that no one signed in to', async () => {
    const page = await askedIn(harness.browser(), mara)
    const browser = harness.browser()
    const own = await askedIn(browser, joel)
    await expectNoCode(await send(browser, actionOf(page), { form_token: tokenOf(own), answer: 'allow' }), 400)
    await expectNoCode(await send(harness.browser(), actionOf(page), { form_token: tokenOf(page), answer: 'allow' }), 400)
  })

  it('is not given by an address alone', async () => {
    const browser = harness.browser()
    const page = await askedIn(browser, mara)
    await expectNoCode(await browser.go(`${actionOf(page)}?answer=allow&form_token=${tokenOf(page)}`), 404)
    await expectNoCode(await send(browser, `${actionOf(page)}?answer=allow`, {}), 403)
  })

  it('is not given once they signed out', async () => {
    const browser = harness.browser()
    const page = await askedIn(browser, mara)
    await browser.submit(await browser.visit('/auth/sign_out'), {})
    const answer = await browser.submit(page, { answer: 'allow' })
    expect(answer.location).toBeUndefined()
    await expectNoCode(answer, answer.status)
  })

  it('is not given in the name of who signed in since', async () => {
    const browser = harness.browser()
    const page = await askedIn(browser, mara)
    await browser.submit(await browser.visit('/auth/sign_out'), {})
    await askedIn(browser, joel)
    const answer = await browser.submit(page, { answer: 'allow' })
    expect(answer.location).toBeUndefined()
    await expectNoCode(answer, answer.status)
  })
})

describe('an approval with more than its form has', () => {
  it('grants what the page showed, to whom it showed, regardless of what the form and its address carry', async () => {
    const browser = harness.browser()
    const page = await askedIn(browser, mara)
    const wanted = {
      scope: 'read write admin:read',
      client_id: other.client_id,
      redirect_uri: 'https://elsewhere.example/cb',
      state: 'forged',
    }
    const action = `${actionOf(page)}?${new URLSearchParams(wanted)}`
    const first = await send(browser, action, { ...wanted, accountId: joel.id, form_token: tokenOf(page), answer: 'allow' })
    const back = await browser.visit(`${first.location}?${new URLSearchParams(wanted)}`)
    expect(back.location).toMatch(/^elk:\/\/x\?code=[^&]+&state=asked$/)
    const { client_id, client_secret } = app
    const form = { grant_type: 'authorization_code', code: codeOf(back), redirect_uri: 'elk://x', client_id, client_secret }
    const { json } = await harness.post('/oauth/token', form)
    expect(json.scope).toBe('read')
    const digests = [createHash('sha256').update(json.access_token).digest()]
    expect((await harness.tokens.check(call(), { digests })).holders[0]).toMatchObject({ accountId: mara.id, appId: app.id })
  })

  it.each(['ALLOW', 'allow ', 'yes', ''])('is a denial with the answer %o', async (answer) => {
    const browser = harness.browser()
    const page = await askedIn(browser, mara)
    expect((await browser.submit(page, { answer })).location).toMatch(/^elk:\/\/x\?error=access_denied&/)
  })
})
