import { InstanceSettingsDefinition } from '@rookery/contracts/federation'
import { callWithin } from '@rookery/rpc/call-within'
import { type Person, World } from '@rookery/test-world'
import { innerClient } from '@rookery/test-world/calls'
import { query } from '@rookery/test-world/queries'
import { schedules, waiting } from '@rookery/test-world/scheduling'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Endpoints of features that this server lacks, and unintended mentions (beyond-the-spec 2.1, 2.5).

let world: World
let mara: Person
let joel: Person
let ines: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel, ines } = await world.cast('mara', 'joel', 'ines'))
})
afterAll(() => world.close())

test('there are no annual reports, and no one is eligible', async () => {
  expect((await mara.get('/api/v1/annual_reports')).body).toEqual({ annual_reports: [], accounts: [], statuses: [] })
  expect((await mara.get('/api/v1/annual_reports/2025/state')).body).toEqual({ state: 'ineligible' })
  expect((await mara.get('/api/v1/annual_reports/2025')).status).toBe(404)
  for (const act of ['read', 'generate']) expect((await mara.post(`/api/v1/annual_reports/2025/${act}`)).status).toBe(404)
  expect((await mara.get('/api/v1/annual_reports/soon/state')).status).toBe(404)
})

describe('terms of service', () => {
  const read = (date = '') => world.get(`/api/v1/instance/terms_of_service${date}`)
  const day = (from: number) => new Date(world.clock.now() + from * 86_400_000).toISOString().slice(0, 10)
  const call = () => callWithin(30, 'terms')
  const settings = () => innerClient(world, InstanceSettingsDefinition)

  test.each(['', '/2025-01-01', '/tea'])('are missing where there are none%s', async (date) => {
    expect(await read(date)).toMatchObject({ status: 404, body: { error: 'Record not found' } })
    expect((await world.get('/api/v2/instance')).body.configuration.urls.terms_of_service).toBeNull()
  })

  test('are those that hold, and those of a day, with the day of the next; a page shows them', async () => {
    await settings().publishTerms(call(), { text: '# Ours\n\nBe <kind>.', effectiveOn: '', staffId: '' })
    await settings().publishTerms(call(), { text: 'Be very kind.', effectiveOn: day(3), staffId: '' })
    const first = { effective_date: day(0), effective: true, content: '<h2>Ours</h2>\n<p>Be &lt;kind&gt;.</p>', succeeded_by: day(3) }
    expect((await read()).body).toEqual(first)
    expect((await read(`/${day(0)}`)).body).toEqual(first)
    expect((await read(`/${day(3)}`)).body).toEqual({
      effective_date: day(3),
      effective: false,
      content: '<p>Be very kind.</p>',
      succeeded_by: null,
    })
    expect((await read(`/${day(1)}`)).status).toBe(404)
    const url = `${world.origin}/terms-of-service`
    expect((await world.get('/api/v2/instance')).body.configuration.urls.terms_of_service).toBe(url)
    const page = await world.asks('GET', '/terms-of-service?lang=en', { headers: { accept: 'text/html' } })
    expect([page.status, page.text.includes('Be &lt;kind&gt;.'), page.text.includes(`href="/terms-of-service/${day(3)}"`)]).toEqual([
      200,
      true,
      true,
    ])
    const next = await world.asks('GET', `/terms-of-service/${day(3)}?lang=de`, { headers: { accept: 'text/html' } })
    expect([next.status, next.text.includes('Nutzungsbedingungen'), next.text.includes('Be very kind.')]).toEqual([200, true, true])
  })

  test('are linked where people sign up, as long as there are any', async () => {
    const isLinked = async (name: string) => {
      await world.idle()
      const { text } = await world.asks('GET', '/auth/sign_up?lang=en', { headers: { accept: 'text/html' } })
      const isLink = text.includes(`<a href="/terms-of-service?lang=en">${name}</a>`)
      expect(text.includes('I agree to the rules and to the terms of service of this server.')).toBe(isLink)
      return isLink
    }
    for (const from of [0, 3]) await settings().deleteTerms(call(), { effectiveOn: day(from), staffId: '' })
    expect(await isLinked('Terms of service')).toBe(false)
    await settings().publishTerms(call(), { text: 'Be kind.', effectiveOn: '', staffId: '' })
    await settings().publishTerms(call(), { text: 'Be very kind.', effectiveOn: day(0), staffId: '' })
    await settings().publishTerms(call(), { text: 'Be kinder.', effectiveOn: day(9), staffId: '' })
    expect(await isLinked('Terms of service')).toBe(true)
    await settings().deleteTerms(call(), { effectiveOn: day(0), staffId: '' })
    expect(await isLinked('Terms of service')).toBe(true)
    await settings().deleteTerms(call(), { effectiveOn: day(9), staffId: '' })
    expect(await isLinked('Terms of service')).toBe(false)
  })

  test.each([
    [{ text: '', effectiveOn: '' }, "Text can't be blank"],
    [{ text: 'x', effectiveOn: '2020-01-01' }, 'Effective date must be today or later'],
    [{ text: 'x', effectiveOn: 'soon' }, 'Effective date is invalid'],
  ])('are refused for %j', async (version, said) => {
    await expect(settings().publishTerms(call(), { ...version, staffId: '' })).rejects.toThrow(said)
  })
})

test('known servers are found by how they or a part of them begin, ten at most', async () => {
  const teas = Array.from({ length: 12 }, (_, number) => `tea${number}.example`)
  for (const domain of ['birds.example', 'my.birds.example', 'blackbirds.example', ...teas]) {
    await query(world, 'insert into federation.peer (domain) values ($1)', [domain])
  }
  const found = async (q: string) => (await world.get(`/api/v1/peers/search?q=${q}`)).body
  expect(await found('Birds')).toEqual(['birds.example', 'my.birds.example'])
  expect(await found('tea')).toHaveLength(10)
  expect(await found('%25')).toEqual([])
  expect(await found('')).toEqual([])
})

test('a post that mentions others than it allows is refused with their accounts; nothing is posted or scheduled', async () => {
  const status = '@joel and @ines and @mara'
  const refused = await mara.post('/api/v1/statuses', { status, allowed_mentions: [joel.id] })
  const error = 'Post would be sent to unexpected accounts'
  expect(refused).toMatchObject({ status: 422, body: { error, unexpected_accounts: [{ id: ines.id }] } })
  const none = await mara.post('/api/v1/statuses', { status, allowed_mentions: [''] })
  expect(none.body.unexpected_accounts.map(({ id }: Person) => id)).toEqual([joel.id, ines.id])
  await expect(schedules(world, mara, status, { allowed_mentions: [joel.id] })).rejects.toThrow('unexpected')
  expect(await waiting(mara)).toEqual([])
  expect((await mara.says(status, { allowed_mentions: [joel.id, ines.id] })).mentions).toHaveLength(3)
  expect((await mara.get(`/api/v1/accounts/${mara.id}/statuses`)).body).toHaveLength(1)
})
