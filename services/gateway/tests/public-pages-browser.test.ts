import { type Person, World } from '@rookery/test-world'
import axe from 'axe-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumFile, openChromium } from './chromium.ts'
import { FINDINGS, VIEWS } from './page-rules.ts'

// Public pages in a browser: on a phone and on a desktop, light and dark, checked by axe-core for accessibility.

/** Column, row and height of each image, in halves of the grid. */
const PLACES: Record<number, number[][]> = {
  2: [
    [0, 0, 2],
    [1, 0, 2],
  ],
  3: [
    [0, 0, 2],
    [1, 0, 1],
    [1, 1, 1],
  ],
  4: [
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
  ],
}

describe.skipIf(!chromiumFile)(chromiumFile ? 'pages in a browser' : 'pages in a browser: no chromium on the path', () => {
  let world: World
  let browser: Awaited<ReturnType<typeof openChromium>>
  let paths: string[]
  beforeAll(async () => {
    world = await World.open({
      settings: {
        INSTANCE_DESCRIPTION: 'A tree full of talk',
        INSTANCE_EXTENDED_DESCRIPTION: '# Who we are\n\n- Birds',
        INSTANCE_CONTACT_ACCOUNT: 'mara',
        INSTANCE_CONTACT_EMAIL: 'mara@nest.example',
        INSTANCE_RULES: 'Be kind\nSing',
      },
    })
    const { mara, joel } = (await world.cast('mara', 'joel')) as { mara: Person; joel: Person }
    const olga = await world.owner('olga')
    await olga.post('/api/v1/admin/domain_blocks', { domain: `${'very-'.repeat(10)}long.example`, public_comment: 'spam' })
    const note = `I watch #birds and ${'w'.repeat(60)} https://mara.example/${'path/'.repeat(20)}`
    const fields_attributes = [{ name: 'n'.repeat(40), value: `https://mara.example/${'x'.repeat(80)}` }]
    await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { note, discoverable: true, fields_attributes } })
    await joel.follows(mara)
    const picture = await sharp({ create: { width: 1200, height: 300, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('file', new File([picture], 'a.png', { type: 'image/png' }))
    const media = (await mara.asks('POST', '/api/v2/media', { body: form })).body.id as string
    const first = await mara.says(`look #birds ${'o'.repeat(120)}`, { media_ids: [media] })
    let last = first
    for (let depth = 0; depth < 6; depth++) last = await joel.says(`@mara and ${depth}?`, { in_reply_to_id: last.id })
    await mara.says('which? #birds', { poll: { options: ['one', 'two'], expires_in: 600 } })
    await joel.says('the end #birds', { spoiler_text: 'of the film' })
    for (let number = 0; number < 20; number++) await joel.says(`number ${number} #birds`)
    paths = [
      ...['/', '/about', '/privacy-policy', '/explore', '/directory', '/tags/birds', '/nowhere', '/share?text=tea'],
      ...['/@mara', '/@mara/with_replies', '/@mara/media', '/@mara/followers', '/@mara/tagged/birds', `/@mara/${first.id}`],
      '/authorize_interaction?uri=@bird@there.example',
    ]
    browser = await openChromium(chromiumFile!)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await world.close()
  })

  test.each(Object.entries(VIEWS))(
    'are as wide as %s and without serious faults of accessibility',
    async (_name, view) => {
      for (const path of paths) {
        await browser.show(world.origin + path, view)
        const overflow = await browser.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
        await browser.evaluate(`${axe.source}; undefined`)
        expect({ path, overflow, findings: await browser.evaluate(FINDINGS) }).toEqual({ path, overflow: 0, findings: [] })
      }
    },
    120_000,
  )

  test('load nothing from elsewhere, and everything that they name of here', async () => {
    for (const path of paths) {
      await browser.show(world.origin + path, VIEWS['a desktop, light, in French']!)
      const loaded = "performance.getEntriesByType('resource').map(({ name, responseStatus }) => [new URL(name).origin, responseStatus])"
      for (const [origin, status] of await browser.evaluate(loaded))
        expect({ path, origin, status }).toEqual({ path, origin: world.origin, status: 200 })
      const broken = '[...document.images].filter((image) => image.complete && image.naturalWidth === 0).map(({ src }) => src)'
      expect({ path, broken: await browser.evaluate(broken) }).toEqual({ path, broken: [] })
    }
  }, 60_000)

  test.each([2, 3, 4])('show %i pictures of a post as a grid, with their descriptions', async (count) => {
    const name = `pia${count}`
    const pia = (await world.cast(name))[name]!
    const picture = await sharp({ create: { width: 300, height: 900, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const media_ids: string[] = []
    for (let number = 1; number <= count; number++) {
      const form = new FormData()
      form.set('file', new File([picture], 'a.png', { type: 'image/png' }))
      form.set('description', `picture ${number}`)
      if (number === 1) form.set('focus', '0,0.8')
      media_ids.push((await pia.asks('POST', '/api/v2/media', { body: form })).body.id)
    }
    const { id } = await pia.says('pictures', { media_ids })
    for (const view of [VIEWS['a phone, light']!, VIEWS['a desktop, dark']!]) {
      await browser.show(`${world.origin}/@${name}/${id}`, view)
      const seen = await browser.evaluate(`(() => {
        const { left, top, width, height } = document.querySelector('.files').getBoundingClientRect()
        return [...document.querySelectorAll('.files img')].map((image) => {
          const box = image.getBoundingClientRect()
          return [image.alt, Math.round((2 * (box.left - left)) / width), Math.round((2 * (box.top - top)) / height), Math.round((2 * box.height) / height)]
        })
      })()`)
      const positions = await browser.evaluate(
        `[...document.querySelectorAll('.files img')].map((image) => getComputedStyle(image).objectPosition)`,
      )
      expect(positions).toEqual(['50% 10%', ...Array(count - 1).fill('50% 50%')])
      expect(seen).toEqual(PLACES[count]!.map((place, index) => [`picture ${index + 1}`, ...place]))
    }
  })

  test('begin at the post that was asked for, below what it answers', async () => {
    const { rosa } = (await world.cast('rosa')) as { rosa: Person }
    const first = await rosa.says('long words '.repeat(45))
    const second = await rosa.says('longer words '.repeat(37), { in_reply_to_id: first.id })
    const third = await rosa.says('the answer', { in_reply_to_id: second.id })
    for (let number = 0; number < 5; number++) await rosa.says('more words '.repeat(40), { in_reply_to_id: third.id })
    await browser.show(`${world.origin}/@rosa/${third.id}`, VIEWS['a phone, light']!)
    // Browsers set the focus in a frame of their own, which may come after the page is loaded, or while its end is still being parsed: then
    // there is nothing below the post to scroll into view yet, and its last pixels stay below the edge.
    const place = await browser.evaluate(`(async () => {
      const post = document.querySelector('article.alone')
      if (document.activeElement !== post) await new Promise((focused) => post.addEventListener('focus', focused, { once: true }))
      const { top, bottom } = post.getBoundingClientRect()
      return top >= 0 && (top + bottom) / 2 <= innerHeight && scrollY > 0
    })()`)
    expect(place).toBe(true)
  })

  test('set what is written from the right from there, and its author’s name beside the picture', async () => {
    const { yusuf } = (await world.cast('yusuf')) as { yusuf: Person }
    await yusuf.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'يوسف' } })
    const said = await yusuf.says('صباح الخير!')
    await browser.show(`${world.origin}/@yusuf/${said.id}`, VIEWS['a phone, light']!)
    const left = (selector: string) =>
      browser.evaluate(`(() => {
      const range = document.createRange()
      range.selectNodeContents(document.querySelector(${JSON.stringify(selector)}))
      return range.getBoundingClientRect().left < innerWidth / 2
    })()`)
    expect([await left('.said p'), await left('.person strong')]).toEqual([false, true])
  })
})
