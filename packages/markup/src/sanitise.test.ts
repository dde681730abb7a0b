import { expect, test } from 'vitest'
import { renderStatus, sanitiseStatus } from './index.ts'

const place = { baseUrl: 'https://birds.example', domain: 'birds.example', mentions: new Map([['mara', { id: '1', username: 'mara' }]]) }

test.each(['tea & <kettles>', 'a\nb\n\nc', '@mara #tea https://example.org/a/very/long/address/that/is/cut/somewhere?x=1&y=2'])(
  'what posts hold stays: %s',
  (text) => {
    const html = renderStatus(text, place)
    const quoted = (given: string) =>
      given.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('<br />', '<br>').replaceAll(' class=""', '')
    expect(quoted(sanitiseStatus(html))).toBe(quoted(html))
  },
)

test.each([
  ['<script>x()</script>tea', 'tea'],
  ['<img src=x onerror=x()>tea', 'tea'],
  ['<p style="x" onclick="x()" class="evil">tea</p>', '<p>tea</p>'],
  [
    '<a href="https://example.org" onclick="x()" onmouseover="x()" style="x" id="x" data-x="y" class="mention evil">tea</a>',
    '<a href="https://example.org" class="mention">tea</a>',
  ],
  ['<span onclick="x()" style="x" class="ellipsis evil" translate="no">tea</span>', '<span class="ellipsis" translate="no">tea</span>'],
  ['<br onclick="x()"><p onmouseover="x()" title="x">tea</p>', '<br /><p>tea</p>'],
  ['<a href="data:text/html,x">tea</a>', '<a target="_blank" rel="nofollow noopener">tea</a>'],
  ['<a href="//example.org" rel="opener">tea</a>', '<a rel="nofollow noopener" target="_blank">tea</a>'],
  ['<svg><a xlink:href="javascript:x()">tea</a></svg>', '<a target="_blank" rel="nofollow noopener">tea</a>'],
  ['<<b>p>tea</p', '&lt;p&gt;tea'],
])('%s is %s', (html, expected) => {
  expect(sanitiseStatus(html)).toBe(expected)
})
