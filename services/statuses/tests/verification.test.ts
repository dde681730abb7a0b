import { type Person, World } from '@rookery/test-world'
import { openPageServer } from '@rookery/test-world/page-server'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Links of a profile are verified when the page they lead to links back with rel=me (beyond-the-spec 1.1, `verified_at`).

let world: World
let pages: Awaited<ReturnType<typeof openPageServer>>
let people = 0

beforeAll(async () => {
  pages = await openPageServer()
  world = await World.open({ mayConnect: ({ address, port }) => address === '127.0.0.1' && port === pages.port })
})
afterAll(async () => {
  await world.close()
  await pages.close()
})

const MINUTE = 60_000
const update = (person: Person, body: unknown) => person.asks('PATCH', '/api/v1/accounts/update_credentials', { body })
const whenIdle = async () => {
  await world.rookery.runJobs()
  await world.idle()
}
const newPerson = () => world.person(`linked_${++people}`)
const profileOf = ({ username }: Person) => `${world.origin}/@${username}`
const fieldsOf = async ({ id }: Person) => (await world.get(`/api/v1/accounts/${id}`)).body.fields as { verified_at: string | null }[]
const links = async (person: Person, ...values: string[]) => {
  const answer = await update(person, { fields_attributes: values.map((value, index) => ({ name: `link ${index}`, value })) })
  expect(answer.status).toBe(200)
  await whenIdle()
}
const verifiedIn = async (person: Person) => (await fieldsOf(person)).map(({ verified_at }) => verified_at !== null)

test('a page that links back is noted, for everyone and the owner, with the version bumped', async () => {
  const mara = await newPerson()
  pages.page('/mara', `<p>me: <a class="x" rel="nofollow ME" href="${profileOf(mara).toUpperCase().replace('HTTP', 'http')}#top">here</a>`)
  const before = (await world.get(`/api/v1/accounts/${mara.id}`)).body
  expect(before.fields).toEqual([])
  await update(mara, { fields_attributes: [{ name: 'site', value: ` ${pages.at('/mara')} ` }] })
  expect(await verifiedIn(mara)).toEqual([false])
  const asked = world.clock.now()
  await whenIdle()
  const [field] = await fieldsOf(mara)
  const verifiedAt = field!.verified_at!
  expect(verifiedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  expect(Date.parse(verifiedAt)).toBeGreaterThanOrEqual(asked)
  expect(Date.parse(verifiedAt)).toBeLessThanOrEqual(world.clock.now())
  const own = (await mara.get('/api/v1/accounts/verify_credentials')).body
  const source = { fields: [{ value: pages.at('/mara'), verified_at: verifiedAt }] }
  expect(own).toMatchObject({ fields: [{ verified_at: verifiedAt }], source })
})

test.each<[string, (profile: string) => string, boolean]>([
  ['a link element', (profile) => `<head><link rel="me" href="${profile}"></head>`, true],
  ['the address of the actor', (profile) => `<a rel=me href="${profile.replace('/@', '/users/')}">me</a>`, true],
  ['a link without rel', (profile) => `<a href="${profile}">me</a>`, false],
  ['another rel', (profile) => `<a rel="menu" href="${profile}">me</a>`, false],
  ['someone else', (profile) => `<a rel="me" href="${profile}x">me</a>`, false],
  ['a longer address', (profile) => `<a rel="me" href="${profile}/1">me</a>`, false],
  ['another element', (profile) => `<area rel="me" href="${profile}">`, false],
  ['a comment', (profile) => `<!-- <a rel="me" href="${profile}">me</a> -->`, false],
  ['the text of a script', (profile) => `<script>'<a rel="me" href="${profile}">'</script>`, false],
  ['deeper than any page', (profile) => `${'<div>'.repeat(100_000)}<a rel="me" href="${profile}">me</a>`, false],
])('%s counts or not', async (name, html, isVerified) => {
  const person = await newPerson()
  const path = `/${encodeURIComponent(name)}`
  pages.page(path, html(profileOf(person)))
  await links(person, pages.at(path))
  expect(await verifiedIn(person)).toEqual([isVerified])
})

test('only a field that is nothing but an address elsewhere has a page to ask', async () => {
  const person = await newPerson()
  pages.page('/text', `<a rel="me" href="${profileOf(person)}">me</a>`)
  const port = String(pages.port)
  await links(person, `see ${pages.at('/text')}`, profileOf(person), `http://user:pw@localhost:${port}/text`, 'ftp://localhost/text')
  expect(await verifiedIn(person)).toEqual([false, false, false, false])
  expect(pages.timesAsked('/text')).toBe(0)
})

test('what was found stays as long as the field does, and is asked again when fields change', async () => {
  const person = await newPerson()
  pages.page('/stays', `<a rel="me" href="${profileOf(person)}">me</a>`)
  await links(person, pages.at('/stays'))
  const [first] = await fieldsOf(person)
  await world.advance(MINUTE)
  await links(person, pages.at('/stays'), 'more')
  expect(await fieldsOf(person)).toMatchObject([{ verified_at: first!.verified_at }, { verified_at: null }])
  expect(pages.timesAsked('/stays')).toBe(2)
  await update(person, { display_name: 'other' })
  await whenIdle()
  expect(pages.timesAsked('/stays')).toBe(2)

  pages.page('/stays', 'no more')
  await links(person, pages.at('/stays'))
  expect(await verifiedIn(person)).toEqual([false])
})

test('a late answer is not noted with fields that took the place of those it is about', async () => {
  const person = await newPerson()
  pages.serve('/late', async (response) => {
    await update(person, { fields_attributes: [{ name: 'other', value: 'text' }] })
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<a rel="me" href="${profileOf(person)}">me</a>`)
  })
  await links(person, pages.at('/late'))
  expect(await fieldsOf(person)).toEqual([{ name: 'other', value: 'text', verified_at: null }])
})

test('a page in trouble takes nothing away and is asked twice more; one that is none is not', async () => {
  const person = await newPerson()
  const html = `<a rel="me" href="${profileOf(person)}">me</a>`
  pages.page('/trouble', html)
  await links(person, pages.at('/trouble'))
  pages.serve('/trouble', (response) => response.writeHead(503, { 'Content-Type': 'text/html' }).end(html))
  pages.page('/picture', html, 'image/png')
  await links(person, pages.at('/trouble'), pages.at('/picture'))
  expect(await verifiedIn(person)).toEqual([true, false])
  for (let minutes = 0; minutes < 30; minutes += 5) {
    await world.advance(5 * MINUTE)
    await whenIdle()
  }
  expect(pages.timesAsked('/trouble')).toBe(1 + 3)
  expect(pages.timesAsked('/picture')).toBe(1)
  expect(await verifiedIn(person)).toEqual([true, false])
})

test('redirects into this machine, answers without end and cut ones cost nothing but their field', async () => {
  const person = await newPerson()
  const html = { 'Content-Type': 'text/html' }
  pages.serve('/inside', (response) => response.writeHead(302, { Location: `${world.origin}/@${person.username}` }).end())
  pages.serve('/metadata', (response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end())
  pages.serve('/endless', (response) => {
    response.writeHead(200, html)
    const pour = () => {
      while (response.write('<b>'.repeat(20_000)));
      response.once('drain', pour)
    }
    pour()
  })
  pages.serve('/cut', (response) => void response.writeHead(200, { ...html, 'Content-Length': '99' }).write('<a', () => response.destroy()))
  await links(person, ...['/inside', '/metadata', '/endless', '/cut'].map(pages.at))
  expect(await verifiedIn(person)).toEqual([false, false, false, false])
})

test('of many changes at once each page is asked once', async () => {
  const person = await newPerson()
  pages.page('/once', 'no')
  const fields = { fields_attributes: [{ name: 'a', value: pages.at('/once') }] }
  for (let time = 0; time < 5; time++) expect((await update(person, fields)).status).toBe(200)
  await whenIdle()
  expect(pages.timesAsked('/once')).toBe(1)
})
