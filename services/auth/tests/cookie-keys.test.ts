import { Secret } from '@rookery/runtime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Harness, openHarness, type Person } from './harness.ts'

const [OLD, NEW] = [new Secret('the-old-key-of-cookies-and-forms-of-birds'), new Secret('the-new-key-of-cookies-and-forms-of-birds')]

/** The steps by which the key is changed (docs/operations/secrets.md). */
const STEPS = [[OLD], [OLD, NEW], [NEW, OLD], [NEW]]

let harness: Harness
let mara: Person
beforeAll(async () => {
  harness = await openHarness()
  mara = await harness.person('mara')
})
beforeEach(() => {
  harness.toNewWindow()
  harness.restart({ cookieKeys: [OLD] })
})
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
})

const signedIn = async () => {
  const browser = harness.browser()
  const page = await browser.submit(await browser.visit('/auth/sign_in'), { email: mara.email, password: mara.password })
  expect(page.text).toContain('Signed in as @mara')
  return browser
}
type Browser = Awaited<ReturnType<typeof signedIn>>
const isSignedIn = async (browser: Browser) => (await browser.visit('/auth/account')).text.includes('Signed in as @mara')

describe('a key of cookies that is changed', () => {
  it('keeps who comes by signed in, and lets go of who stayed away', async () => {
    const [regular, absent] = [await signedIn(), await signedIn()]
    for (const cookieKeys of STEPS.slice(1)) {
      harness.restart({ cookieKeys })
      expect(await isSignedIn(regular)).toBe(true)
    }
    expect(await isSignedIn(absent)).toBe(false)
  })

  it.each([1, 2])('is believed by processes from before and after step %d alike', async (step) => {
    harness.restart({ cookieKeys: STEPS[step - 1]! })
    const browser = await signedIn()
    for (const cookieKeys of [STEPS[step]!, STEPS[step - 1]!, STEPS[step]!]) {
      harness.restart({ cookieKeys })
      expect(await isSignedIn(browser)).toBe(true)
    }
    const fresh = await signedIn()
    harness.restart({ cookieKeys: STEPS[step - 1]! })
    expect(await isSignedIn(fresh)).toBe(true)
  })

  it('ends what it signed at once when it is taken away alone', async () => {
    const browser = await signedIn()
    harness.restart({ cookieKeys: [NEW] })
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('believes forms that were handed out before, as long as both are given', async () => {
    const browser = await signedIn()
    const form = await browser.visit('/auth/account/password')
    harness.restart({ cookieKeys: [NEW, OLD] })
    const answer = await browser.submit(form, { current_password: 'wrong', password: 'mara knows more' })
    expect(answer.status).toBe(401)
    await browser.visit('/auth/account')
    harness.restart({ cookieKeys: [NEW] })
    expect((await browser.submit(form, { current_password: 'wrong', password: 'mara knows more' })).status).toBe(403)
  })

  it('is kept in the database unless it is given', async () => {
    harness.restart()
    const browser = await signedIn()
    harness.restart()
    expect(await isSignedIn(browser)).toBe(true)
    harness.restart({ cookieKeys: [NEW] })
    expect(await isSignedIn(browser)).toBe(false)
  })
})
