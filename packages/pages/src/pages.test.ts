import { describe, expect, it } from 'vitest'
import { attributes, chooseLanguage, html, pagePolicy, renderDocument } from './index.ts'

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

describe('a document', () => {
  it('escapes its texts, and is not indexed unless it says so', () => {
    const page = { language: 'de', host: '<x>', title: '<t>' } as const
    expect(renderDocument(page)).toContain('<title>&lt;t&gt; · &lt;x&gt;</title>')
    expect(renderDocument(page)).toContain('content="noindex"')
    expect(renderDocument({ ...page, isIndexed: true })).not.toContain('noindex')
  })
})

describe('a policy', () => {
  it('lets in its stylesheets, the origins of what it shows, and where its forms lead', () => {
    const policy = pagePolicy({ styles: ['p {}'], files: ['https://a.example/1', 'https://a.example/2', 'https://b.example/3'] })
    expect(policy).toMatch(/^default-src 'none'; style-src ('sha256-[\w+/=]{44}' ?){2};/)
    expect(policy).toContain(
      "; img-src 'self' https://a.example https://b.example; media-src https://a.example https://b.example; manifest-src 'self'; form-action 'none'",
    )
    expect(pagePolicy({ formTargets: ["'self'"] })).toContain("form-action 'self'")
    expect(pagePolicy({})).toContain("; img-src 'self'; manifest-src 'self'; form-action")
  })
})

it.each([
  ['de-AT,en;q=0.8', 'de'],
  ['es, fr;q=0.5, de;q=0.7', 'de'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['es', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  [',;q=,x', 'en'],
])('Accept-Language %j is answered in %s', (header, language) => expect(chooseLanguage(undefined, header)).toBe(language))

it.each([
  ['fr', 'fr'],
  ['fr-CA', 'fr'],
  ['xx', 'de'],
  [['fr'], 'de'],
])('lang=%j comes before Accept-Language where the pages speak it', (lang, language) => expect(chooseLanguage(lang, 'de')).toBe(language))
