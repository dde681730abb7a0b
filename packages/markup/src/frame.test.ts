import { describe, expect, it } from 'vitest'
import { frameIn, playerFrame } from './frame.ts'

const OWN = 'rookery.example'
const frame = (src: string, sizes = '') =>
  `<iframe src="${src}"${sizes} frameborder="0" allowfullscreen="true" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>`

const PIECES: [what: string, html: string, kept: string][] = [
  [
    'a frame',
    '<iframe src="https://there.example/1" width="640" height="360"></iframe>',
    frame('https://there.example/1', ' width="640" height="360"'),
  ],
  ['of two the first', '<iframe src="https://a.example/"></iframe><iframe src="https://b.example/"></iframe>', frame('https://a.example/')],
  [
    'a frame alone',
    '<p>text<script>x</script><iframe src="https://a.example/" onload="x" style="x" name="y"></iframe></p>',
    frame('https://a.example/'),
  ],
  ['no weaker sandbox', '<iframe src="https://a.example/" sandbox="allow-top-navigation"></iframe>', frame('https://a.example/')],
  ['no size that is none', '<iframe src="https://a.example/" width="100%" height="1e9"></iframe>', frame('https://a.example/')],
  ['no frame of this server', '<iframe src="https://rookery.example/"></iframe>', ''],
  ['no frame of this server in other words', '<iframe src="https://ROOKERY.example:443/"></iframe>', ''],
  ['no frame without TLS', '<iframe src="http://a.example/"></iframe>', ''],
  ['no frame of any scheme', '<iframe src="//a.example/"></iframe>', ''],
  ['no script', '<iframe src="javascript:alert(1)"></iframe>', ''],
  ['no script behind a tab', '<iframe src="java&#9;script:alert(1)"></iframe>', ''],
  ['no credentials', '<iframe src="https://me:secret@a.example/"></iframe>', ''],
  ['no document of its own', '<iframe srcdoc="<script>1</script>"></iframe>', ''],
  ['nothing else', '<object data="https://a.example/"></object><embed src="https://a.example/"><svg onload=x>', ''],
  ['no frame within an attribute', '<a title="<iframe src=https://a.example/></iframe>">b</a>', ''],
]

describe('frameIn', () => {
  it.each(PIECES)('keeps %s', (_, html, kept) => expect(frameIn(html, OWN)).toBe(kept))
})

describe('playerFrame', () => {
  it('lets no address out of its attribute', () => {
    const src = 'https://a.example/"><script>alert(1)</script>'
    expect(playerFrame({ src, width: 1, height: 2 }, OWN)).toBe(
      frame('https://a.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E', ' width="1" height="2"'),
    )
  })
})
