import { LANGUAGES } from '@rookery/pages'
import { World } from '@rookery/test-world'
import { announces } from '@rookery/test-world/announcing'
import { browser } from '@rookery/test-world/page-browser'
import { query } from '@rookery/test-world/queries'
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PAGES } from '../src/module.ts'
import { chromiumFile, openChromium } from './chromium.ts'
import { FINDINGS, VIEWS } from './page-rules.ts'

// The staff pages in a browser: on a phone and on a desktop, light and dark, checked by axe-core for accessibility.

describe.skipIf(!chromiumFile)(chromiumFile ? 'staff pages in a browser' : 'staff pages in a browser: no chromium on the path', () => {
  let world: World
  let chromium: Awaited<ReturnType<typeof openChromium>>
  let paths: string[]
  beforeAll(async () => {
    world = await World.open({ settings: { REGISTRATIONS: 'approval', INSTANCE_RULES: 'Be kind\nSing', TRENDS: 'automatic' } })
    const { mara, joel } = await world.cast('mara', 'joel')
    const owner = await world.owner('olga')
    const token = await world.appToken()
    for (const username of ['wren', 'robin']) {
      const person = {
        username,
        email: `${username}@example.org`,
        password: 'a password',
        agreement: true,
        locale: 'en',
        reason: `I sing ${'w'.repeat(80)}`,
      }
      await world.asks('POST', '/api/v1/accounts', { token, body: person })
    }
    const said = await joel.says(`buy my tea ${'o'.repeat(120)} #tea`, { spoiler_text: 'tea' })
    const plain = await joel.says('more tea #tea')
    const filed = { account_id: joel.id, status_ids: [said.id, plain.id], comment: 'look at this', category: 'spam' }
    const report = (await mara.post('/api/v1/reports', filed)).body.id as string
    await mara.post('/api/v1/reports', { account_id: joel.id, comment: `more ${'o'.repeat(120)}` })
    await owner.post(`/api/v1/admin/accounts/${joel.id}/action`, { type: 'silence', text: 'calm down' })
    const domain = (
      await owner.post('/api/v1/admin/domain_blocks', { domain: `${'very-'.repeat(10)}long.example`, public_comment: 'spam' })
    ).body.id
    await owner.post('/api/v1/admin/domain_allows', { domain: 'friend.example' })
    await owner.post('/api/v1/admin/email_domain_blocks', { domain: 'throwaway.example' })
    await owner.post('/api/v1/admin/ip_blocks', { ip: '192.0.2.0/24', severity: 'sign_up_block', comment: 'spam', expires_in: 86_400 })
    await owner.post('/api/v1/admin/canonical_email_blocks', { email: 'spam@example.org' })
    const announcement = (await announces(world, 'We are down on Sunday')).id
    const [job] = await query(world, `select id::text from statuses_jobs.add_job('verify-link', '{}'::json)`)
    const error = `no page at ${'x'.repeat(120)}\n    at line 1`
    await query(world, 'select from statuses_jobs.permanently_fail_jobs(array[$1::bigint], $2)', [job.id, error])
    await world.idle()
    const ids: Record<string, string> = { accounts: joel.id, reports: report, domains: domain, announcements: announcement }
    paths = ADMIN_PAGES.map(({ path }) => path.replace(':id', ids[path.split('/')[2] ?? ''] ?? '1'))
    const signedIn = browser(world)
    await signedIn.submit(await signedIn.visit('/admin'), { email: 'olga@example.org', password: 'olga-password' })
    chromium = await openChromium(chromiumFile!)
    for (const name of signedIn.cookieNames) await chromium.keepCookie(world.origin, name, signedIn.cookie(name))
  }, 60_000)
  afterAll(async () => {
    await chromium?.close()
    await world.close()
  })

  test.each(Object.entries(VIEWS))(
    'are as wide as %s and without serious faults of accessibility',
    async (_name, view) => {
      for (const path of paths) {
        await chromium.show(world.origin + path, view)
        const at = await chromium.evaluate('location.pathname')
        const overflow = await chromium.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        await chromium.evaluate(`${axe.source}; undefined`)
        expect({ path, at, overflow, findings: await chromium.evaluate(FINDINGS) }).toEqual({ path, at: path, overflow: 0, findings: [] })
      }
    },
    120_000,
  )

  test('show each link of the navigation whole on a phone, without scrolling sideways', async () => {
    for (const path of ['/admin', '/admin/audit', '/settings/profile', '/auth/account']) {
      for (const language of LANGUAGES) {
        await chromium.show(world.origin + path, { width: 360, height: 740, language })
        const hidden = await chromium.evaluate(`[...document.querySelectorAll('.sections a')].filter((link) => {
          const { left, right, top, bottom } = link.getBoundingClientRect()
          const isSeen = (x) => document.elementFromPoint(x, (top + bottom) / 2) === link
          return left < 0 || right > 360 || !isSeen(left + 4) || !isSeen(right - 4)
        }).map((link) => link.textContent)`)
        expect({ path, language, hidden }).toEqual({ path, language, hidden: [] })
      }
    }
  })

  test('begin with a link that skips the navigation, shown once it has the focus', async () => {
    await chromium.show(`${world.origin}/admin/reports`, VIEWS['a phone, light']!)
    const skip = `document.querySelector('a.skip')`
    const width = `${skip}.getBoundingClientRect().width`
    expect(await chromium.evaluate(width)).toBeLessThan(2)
    await chromium.evaluate(`${skip}.focus()`)
    expect(await chromium.evaluate(width)).toBeGreaterThan(40)
    await chromium.evaluate(`${skip}.click()`)
    expect(await chromium.evaluate('document.activeElement.id')).toBe('page')
  })
})
