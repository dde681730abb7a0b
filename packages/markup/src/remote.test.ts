import { expectLessProcessorTime } from '@rookery/test-cost'
import { describe, expect, test } from 'vitest'
import { linksIn, plainText, sanitiseRemote } from './index.ts'

const LINK = 'rel="nofollow noopener" target="_blank" translate="no"'

describe('HTML of another server', () => {
  test.each([
    ['keeps paragraphs and breaks', '<p>tea<br>time</p>', '<p>tea<br />time</p>'],
    [
      'keeps a mention by the class that clients know',
      '<span class="h-card" translate="no"><a href="https://far.example/@ann" class="u-url mention">@<span>ann</span></a></span>',
      `<span class="h-card" translate="no"><a href="https://far.example/@ann" class="u-url mention" ${LINK}>@<span>ann</span></a></span>`,
    ],
    [
      'keeps a hashtag as such',
      '<a href="https://far.example/tags/tea" class="mention hashtag" rel="tag">#<span>tea</span></a>',
      '<a href="https://far.example/tags/tea" class="mention hashtag" rel="tag nofollow noopener" target="_blank" translate="no">#<span>tea</span></a>',
    ],
    [
      'keeps the hidden parts of a link',
      '<a href="https://tea.example/a"><span class="invisible">https://</span><span class="ellipsis">tea</span></a>',
      `<a href="https://tea.example/a" ${LINK}><span class="invisible">https://</span><span class="ellipsis">tea</span></a>`,
    ],
    [
      'drops classes that clients do not know',
      '<p class="x"><span class="evil h-card">a</span></p>',
      '<p><span class="h-card">a</span></p>',
    ],
    ['drops scripts whole', '<script>alert(1)</script><p>a</p>', '<p>a</p>'],
    ['drops styles whole', '<style>p{}</style><p style="color:red" onclick="x()">a</p>', '<p>a</p>'],
    [
      'drops what a link would run and how it would look',
      '<a href="https://tea.example/a" onclick="x()" onmouseover="x()" style="x" id="x" data-x="y">a</a>',
      `<a href="https://tea.example/a" ${LINK}>a</a>`,
    ],
    ['keeps the text of what posts do not have', '<table><tr><td>a</td></tr></table><img src="x">', 'a '],
    ['makes headings paragraphs that stand out', '<h1>a</h1><h6>b</h6>', '<p><strong>a</strong></p><p><strong>b</strong></p>'],
    ['says what a picture shows', '<p>a <img src="https://far.example/b.png" alt="bird &lt;b&gt;" /> c</p>', '<p>a bird &lt;b&gt; c</p>'],
    ['leaves out a picture of which nothing is said', '<p>a <img src="https://far.example/b.png"> c</p>', '<p>a  c</p>'],
    [
      'says within a link what its picture shows',
      '<a href="https://tea.example/a"><img src="/b.png" alt="b"></a> c',
      `<a href="https://tea.example/a" ${LINK}>b</a> c`,
    ],
    ['breaks lines between blocks that posts do not have', '<div>a</div>\n<div><section>b</section></div>', 'a<br />b'],
    ['breaks no line beside a paragraph', '<div><p>a</p></div><div><p>b</p></div>', '<p>a</p><p>b</p>'],
    ['keeps rows and cells of tables apart', '<table><tr><th>a</th><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>', 'a b <br />c d '],
    [
      'reads an article as a blog sends it',
      '<h1>On birds</h1><p>First.</p><figure><img src="https://far.example/i.png"><figcaption>cap</figcaption></figure>',
      '<p><strong>On birds</strong></p><p>First.</p>cap',
    ],
    [
      'keeps lists, quotes and code',
      '<ul><li>a</li></ul><blockquote>b</blockquote><pre><code>c</code></pre>',
      '<ul><li>a</li></ul><blockquote>b</blockquote><pre><code>c</code></pre>',
    ],
    ['links to nothing but the web', '<a href="javascript:alert(1)">a</a>', '<span>a</span>'],
    ['links to no place of this server', '<a href="/settings">a</a><a href="//far.example">b</a>', '<span>a</span><span>b</span>'],
    ['escapes what is left open', '<p>a < b & c', '<p>a &lt; b &amp; c</p>'],
    ['closes what is left open', '<p><b>a', '<p><b>a</b></p>'],
  ])('%s', (_what, html, clean) => expect(sanitiseRemote(html)).toBe(clean))

  test('is read in a bounded time, however deep it is', async () => {
    const deep = '<blockquote><b>'.repeat(100_000)
    await expectLessProcessorTime(2000, () => expect(sanitiseRemote(deep).length).toBeLessThan(1000))
  })

  test.each(['<h1><p>', '<a href=http://a>'])('is cut where it would become many times longer: %s', (unit) => {
    const shown = sanitiseRemote(unit.repeat(10_000))
    expect(shown.length).toBeLessThanOrEqual(2 * 65_536)
    expect(shown.length).toBeGreaterThan(65_536 / 2)
  })

  test('is cut where it is endless', () => expect(sanitiseRemote(`<p>${'a'.repeat(500_000)}</p>`).length).toBeLessThan(70_000))
})

test('the links of a status are those to pages, not to people and tags', () => {
  const html = sanitiseRemote(
    '<a class="u-url mention" href="https://far.example/@ann">@ann</a> <a href="https://tea.example/a?b=1&amp;c=2">tea</a> <a class="mention hashtag" href="https://far.example/tags/x">#x</a> <a href="https://b.example">b</a>',
  )
  expect(linksIn(html)).toEqual(['https://tea.example/a?b=1&c=2', 'https://b.example/'])
})

test('the text of a status is read line by line', () => {
  expect(plainText(sanitiseRemote('<p>one</p><ul><li>two</li><li>three &amp; four</li></ul>'))).toBe('one\ntwo\nthree & four')
})
