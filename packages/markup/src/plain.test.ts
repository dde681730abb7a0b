import { expect, test } from 'vitest'
import { plainText, renderStatus } from './index.ts'

const place = { baseUrl: 'https://rookery.example', domain: 'rookery.example', mentions: new Map([['mara', { username: 'Mara' }]]) }

test.each([
  ['', ''],
  ['<p>tea</p>', 'tea'],
  ['<p>one</p><p>two<br />three</p>', 'one\ntwo\nthree'],
  ['<p>a &lt;b&gt; &amp;amp; &quot;c&quot; &#39;d&#39; &#x1F375;</p>', 'a <b> &amp; "c" \'d\' 🍵'],
  ['&unknown; &#0; &#xFFFFFFFF; & &;', '&unknown; &#0; &#xFFFFFFFF; & &;'],
  ['<p>never <closed', 'never <closed'],
])('%j reads %j', (html, text) => expect(plainText(html)).toBe(text))

test.each([
  'tea & <b>cake</b> "now"',
  'ask @mara or @no one',
  'a #tag, and https://www.example.org/a/very/long/path/that/is/cut?at=the#end of it',
  'two\nlines',
])('what was typed is read: %s', (typed) => expect(plainText(renderStatus(typed, place)).toLowerCase()).toBe(typed))
