import { StatusBody } from '@rookery/contracts/statuses'
import { expect, test } from 'vitest'
import { type Original, textsOf, translationOf } from './texts.rules.ts'

const emojis = [{ shortcode: 'blob', url: 'u', staticUrl: 'u', category: '', visibleInPicker: true }]
const body = StatusBody.fromPartial({ content: '<p>see :blob: and :other:</p>', spoilerText: 'a <b> :blob:', language: 'de', emojis })
const original: Original = { id: '7', body, source: 'de', options: ['x & y'] }

test('names of emojis are marked as none of any language, and plain texts are HTML', () => {
  expect(textsOf(original)).toEqual([
    '<p>see <span translate="no">:blob:</span> and :other:</p>',
    'a &lt;b&gt; <span translate="no">:blob:</span>',
    'x &amp; y',
  ])
})

test('what comes back as it was sent is what it was', () => {
  const translated = { texts: textsOf(original), detectedSource: undefined }
  expect(translationOf(original, translated, { provider: 'P', language: 'en' })).toEqual({
    content: body.content,
    spoilerText: body.spoilerText,
    language: 'en',
    detectedSourceLanguage: 'de',
    provider: 'P',
    poll: { id: '7', titles: ['x & y'] },
    descriptions: [],
  })
})
