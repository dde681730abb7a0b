import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const embed = (url: string, more: Record<string, string> = {}) => world.get(`/api/oembed?${new URLSearchParams({ url, ...more })}`)

const NOT_FOUND = { error: 'Record not found' }

test.each(['public', 'unlisted'])('a %s status can be embedded, by either of its addresses', async (visibility) => {
  const status = await mara.says('tea & <b>toast</b> #tea', { visibility, language: 'en' })
  const { host } = new URL(world.origin)
  const answer = await embed(status.url)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    type: 'rich',
    version: '1.0',
    author_name: 'mara',
    author_url: `${world.origin}/@mara`,
    provider_name: host,
    provider_url: `${world.origin}/`,
    cache_age: 86400,
    html: expect.stringContaining(`<div lang="en">${status.content}</div>`),
    width: 400,
    height: null,
  })
  expect(answer.body.html).toContain(`<a href="${status.url}"><time datetime="${status.created_at}">`)
  expect(answer.body.html).not.toMatch(/<(?:script|iframe|style|b)\b/)
  expect((await embed(status.uri)).text).toBe(answer.text)
  expect(world.lastRequest).toEqual({ hops: 1, statements: 1 })
})

test('takes the size it is asked for, within reason', async () => {
  const { url } = await mara.says('sized')
  const sizes = await Promise.all(
    [
      { maxwidth: '320', maxheight: '200' },
      { maxwidth: '0', maxheight: '-1' },
      { maxwidth: '99999999', maxheight: 'tea' },
    ].map(async (size) => {
      const { width, height } = (await embed(url, size)).body
      return [width, height]
    }),
  )
  expect(sizes).toEqual([
    [320, 200],
    [400, null],
    [4096, null],
  ])
})

test('shows of what is behind a warning only the warning, and names as text', async () => {
  await joel.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: '<i>"Joel"' } })
  const { url } = await joel.says('the end of the film', { spoiler_text: 'Film <ending>' })
  const { html, author_name } = (await embed(url)).body
  expect(author_name).toBe('<i>"Joel"')
  expect(html).toContain('<p>Film &lt;ending&gt;</p>')
  expect(html).toContain('&lt;i&gt;&quot;Joel&quot;</a>')
  expect(html).not.toContain('the end of the film')
})

test('what is not for everyone, not here or nowhere answers alike', async () => {
  const open = await mara.says('open')
  const hidden = await Promise.all(['private', 'direct'].map((visibility) => mara.says('hidden', { visibility })))
  const boost = await joel.reacts('reblog', open)
  const deleted = await mara.says('deleted')
  await mara.asks('DELETE', `/api/v1/statuses/${deleted.id}`)
  const addresses = [
    ...hidden.map(({ url }) => url),
    deleted.url,
    boost.url,
    `${world.origin}/@joel/${boost.id}`,
    `${world.origin}/@joel/${open.id}`,
    `${world.origin}/@mara`,
    `${world.origin}/@mara/99999999999999999999`,
    `https://elsewhere.example/@mara/${open.id}`,
    'tea',
    '',
  ]
  for (const address of addresses) {
    const answer = await embed(address)
    expect([address, answer.status, answer.body]).toEqual([address, 404, NOT_FOUND])
  }
  expect([(await world.get('/api/oembed')).status, (await mara.get(`/api/oembed?url=${hidden[0].url}`)).status]).toEqual([404, 404])
})
