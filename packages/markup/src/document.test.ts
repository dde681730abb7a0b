import { expect, test } from 'vitest'
import { renderDocument } from './document.ts'

test.each([
  ['a paragraph', 'one', '<p>one</p>'],
  ['lines of a paragraph', 'one\ntwo', '<p>one<br />\ntwo</p>'],
  ['paragraphs', 'one\r\n\r\n\r\ntwo\n', '<p>one</p>\n<p>two</p>'],
  [
    'HTML as typed',
    '<b>"a" & \'b\'</b>\n\n<script>x</script>',
    '<p>&lt;b&gt;"a" &amp; \'b\'&lt;/b&gt;</p>\n<p>&lt;script&gt;x&lt;/script&gt;</p>',
  ],
  ['headings a level below the title of the page', '# One\n## Two\n###### Six', '<h2>One</h2>\n<h3>Two</h3>\n<h6>Six</h6>'],
  ['no heading without a space', '#one', '<p>#one</p>'],
  ['lists', '- one\n- two\n\n1. three', '<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<ol>\n<li>three</li>\n</ol>'],
  ['emphasis', '**one** _two_ ~~three~~ `four`', '<p><strong>one</strong> <em>two</em> <s>three</s> <code>four</code></p>'],
  ['quotations', '> one', '<blockquote>\n<p>one</p>\n</blockquote>'],
  ['rules between parts', 'one\n\n---\n\ntwo', '<p>one</p>\n<hr />\n<p>two</p>'],
  ['code', '    <one>', '<pre><code>&lt;one&gt;\n</code></pre>'],
  [
    'links',
    '[one](https://birds.example/a?b=c&d=e "t") <mailto:m@birds.example>',
    '<p><a href="https://birds.example/a?b=c&amp;d=e">one</a> <a href="mailto:m@birds.example">mailto:m@birds.example</a></p>',
  ],
  [
    'addresses as links',
    'see https://birds.example/nest.',
    '<p>see <a href="https://birds.example/nest">https://birds.example/nest</a>.</p>',
  ],
  ['pages of this server as links', '[rules](/about)', '<p><a href="/about">rules</a></p>'],
  [
    'no links of other kinds',
    '[one](javascript:alert(1)) [two](data:text/html,x) [three](//evil.example)',
    '<p>[one](javascript:alert(1)) [two](data:text/html,x) <a>three</a></p>',
  ],
  ['pictures as their description', '![a heron](https://birds.example/heron.png)', '<p>a heron</p>'],
  [
    'tables',
    '| a | b |\n|---|---|\n| c | d |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td>d</td>\n</tr>\n</tbody>\n</table>',
  ],
  ['handles and domains as text', '@mara@birds.example birds.example', '<p>@mara@birds.example birds.example</p>'],
  ['nothing', ' \n ', ''],
])('%s', (_what, text, html) => expect(renderDocument(text)).toBe(html))

test('quotations and lists within each other end at a depth', () => {
  expect(renderDocument('>'.repeat(50_000)).length).toBeLessThan(1000)
  expect(renderDocument(Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')).length).toBeLessThan(2000)
})
