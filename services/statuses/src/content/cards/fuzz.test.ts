import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cardOf } from './card.rules.ts'
import { readOembed } from './oembed.rules.ts'
import { readPage } from './page.rules.ts'

// Pages with arbitrary text: their cards link only to the web and run nothing.

const RUNS = { seed: Number(process.env['FUZZ_SEED'] ?? 20_260_505), numRuns: 1500 }

const NAMES = [
  'og:title',
  'og:image',
  'og:video',
  'og:video:type',
  'twitter:player',
  'og:video:width',
  'og:locale',
  'article:published_time',
  'author',
]
const TEXTS = [
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    'https://there.example/a',
    'text/html',
    '9'.repeat(400),
    '-1',
    'NaN',
    '',
  ],
  ...[
    '"><script>alert(1)</script>',
    '&lt;img src=x onerror=alert(1)&gt;',
    '\0',
    '\u202e',
    '<iframe src="javascript:alert(1)">',
    '2026-07-01',
    'tea',
  ],
]
const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 30 }))
const element = fc.oneof(
  fc.tuple(fc.constantFrom(...NAMES), text).map(([name, content]) => `<meta property="${name}" content="${content}">`),
  text.map((title) => `<title>${title}</title>`),
  fc.tuple(fc.constantFrom('link', 'html', 'script', '!--', '/title', 'svg'), text).map(([name, rest]) => `<${name} ${rest}>`),
  text,
)
const oembed = fc.oneof(
  fc
    .dictionary(
      fc.constantFrom('type', 'html', 'url', 'title', 'width', 'height', 'author_url', 'thumbnail_url'),
      fc.oneof(text, fc.constantFrom('video', 'rich', 'photo'), fc.jsonValue({ maxDepth: 2 })),
    )
    .map((json) => JSON.stringify(json)),
  text,
)

it('any page and any oEmbed are a card without a script, or none', () => {
  let cards = 0
  fc.assert(
    fc.property(fc.array(element, { maxLength: 12 }), oembed, (elements, json) => {
      const found = {
        page: readPage(elements.join('')),
        pageUrl: 'https://there.example/page',
        oembed: readOembed(json),
        ownHost: 'here.example',
      }
      const draft = cardOf(found)
      if (!draft) return
      cards++
      const { card, pictureUrl = 'https://x' } = draft
      expect(card.html).toMatch(/^(?:<iframe src="https?:[^"<>]*"[^<>]*><\/iframe>)?$/)
      for (const address of [pictureUrl, card.provider_url || 'https://x', card.author_url || 'https://x'])
        expect(address).toMatch(/^https?:\/\//)
      expect([card.width, card.height].every((side) => Number.isSafeInteger(side) && side >= 0)).toBe(true)
    }),
    RUNS,
  )
  expect(cards).toBeGreaterThan(0)
})
