import { ALL_SCOPES } from '@rookery/contracts/scopes'
import { LANGUAGES } from '@rookery/pages'
import { describe, expect, it } from 'vitest'
import { scopeSentences } from './scope-sentences.ts'
import { textsOf } from './texts/index.ts'

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
