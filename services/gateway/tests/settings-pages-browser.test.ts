import { World } from '@rookery/test-world'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '../src/module.ts'
import { chromiumFile, openChromium } from './chromium.ts'
import { FINDINGS, VIEWS } from './page-rules.ts'

// The account's settings in a browser, and passkeys created and used by a browser.

const OF_AUTH = ['', '/email', '/password', '/second_factor', '/passkeys', '/passkeys/new', '/data', '/move', '/delete'].map(
  (path) => `/auth/account${path}`,
)
const PHONE = { width: 390, height: 844 }

describe.skipIf(!chromiumFile)(chromiumFile ? 'settings in a browser' : 'settings in a browser: no chromium on the path', () => {
  let world: World
  let origin: string
  let chromium: Awaited<ReturnType<typeof openChromium>>
  const fill = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `document.querySelector('[name=${name}]').value = ${JSON.stringify(value)};`)
      .join('')
  const heading = () => chromium.evaluate('document.querySelector("h1").textContent')
  const signIn = async () => {
    await chromium.show(`${origin}/auth/sign_in`, PHONE)
    await chromium.follow(`${fill({ email: 'mara@example.org', password: 'mara-password' })}document.querySelector('form').requestSubmit()`)
  }

  beforeAll(async () => {
    world = await World.open({ host: 'localhost' })
    const mara = await world.person('mara')
    await mara.post('/api/v2/filters', {
      title: `w${'o'.repeat(80)}rd`,
      context: ['home'],
      keywords_attributes: [{ keyword: 'o'.repeat(80) }],
    })
    await mara.post('/api/v1/tags/tea/follow', {})
    await mara.says('tea is ready')
    origin = world.origin.replace('127.0.0.1', 'localhost')
    chromium = await openChromium(chromiumFile!)
    await chromium.addAuthenticator()
    await signIn()
  }, 60_000)
  afterAll(async () => {
    await chromium?.close()
    await world.close()
  })

  test.each(Object.entries(VIEWS))(
    'are as wide as %s and without serious faults of accessibility',
    async (_name, view) => {
      for (const path of [...SETTINGS.pages.map((page) => page.path), ...OF_AUTH]) {
        await chromium.show(origin + path, view)
        const at = await chromium.evaluate('location.pathname')
        const overflow = await chromium.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        expect(await chromium.evaluate(`document.querySelector(document.querySelector('a.skip')?.getAttribute('href'))?.id`)).toBe('page')
        await chromium.evaluate(`${axe.source}; undefined`)
        expect({ path, at, overflow, findings: await chromium.evaluate(FINDINGS) }).toEqual({ path, at: path, overflow: 0, findings: [] })
      }
    },
    120_000,
  )

  test('a passkey is made, signs in without a password, and with scripts off is not asked for', async () => {
    await chromium.show(`${origin}/auth/account/passkeys/new`, PHONE)
    await chromium.follow(
      `${fill({ name: 'my finger', current_password: 'mara-password' })}document.querySelector('[data-passkey]').requestSubmit()`,
    )
    expect([await heading(), await chromium.evaluate('document.querySelector(".rows strong").textContent')]).toEqual([
      'Passkeys',
      'my finger',
    ])
    await chromium.forgetCookies()
    await chromium.setScripts(false)
    await chromium.show(`${origin}/auth/sign_in`, PHONE)
    await chromium.setScripts(true)
    expect(await chromium.evaluate('document.querySelector("[data-passkey]").hidden')).toBe(true)
    await chromium.show(`${origin}/auth/sign_in`, PHONE)
    expect(await chromium.evaluate('document.querySelector("[data-passkey]").hidden')).toBe(false)
    await chromium.evaluate(`${axe.source}; undefined`)
    expect(await chromium.evaluate(FINDINGS)).toEqual([])
    await chromium.follow('document.querySelector("[data-passkey]").requestSubmit()')
    expect(await heading()).toBe('Your login')
  })
})
