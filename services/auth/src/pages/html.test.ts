import { ALL_SCOPES } from '@rookery/contracts/scopes'
import { describe, expect, it } from 'vitest'
import { attributes, html } from './html.ts'
import { LANGUAGES } from './language.ts'
import { scopeSentences } from './scope-sentences.ts'
import { textsOf } from './texts/index.ts'

describe('html', () => {
  it('escapes values, keeps Html, and leaves out what is absent', () => {
    const inner = html`<b>${'"&\'<'}</b>`
    expect(html`<p title="${'">'}">${inner}${[inner, 'x']}${undefined}${false}${0}</p>`.html).toBe(
      '<p title="&quot;&gt;"><b>&quot;&amp;&#39;&lt;</b><b>&quot;&amp;&#39;&lt;</b>x0</p>',
    )
  })

  it('writes attributes', () => {
    expect(attributes({ a: '"', b: true, c: false, d: undefined, e: '', f: 3 }).html).toBe(' a="&quot;" b f="3"')
  })
})

describe('scopes in words', () => {
  it.each(LANGUAGES)('say every scope in %s', (language) => {
    for (const scope of ALL_SCOPES) {
      const sentences = scopeSentences(textsOf(language), [scope])
      expect(sentences, scope).toHaveLength(1)
      expect(sentences[0], scope).not.toMatch(/[:_](allows|blocks)|admin:/)
    }
  })

  it('gather the granular ones of a kind, and leave out what an umbrella says', () => {
    expect(scopeSentences(textsOf('en'), ['read:lists', 'write', 'read:filters', 'write:media', 'push'])).toEqual([
      'post and change things in your name',
      'send you push notifications',
      'read lists, filters',
    ])
  })
})
