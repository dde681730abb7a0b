import { describe, expect, it } from 'vitest'
import { linkOf, linkShown } from './link.rules.ts'

const HERE = 'https://rookery.example'

const TEXTS: [what: string, text: string, link: string | undefined][] = [
  ['nothing', 'tea', undefined],
  ['one', 'see https://there.example/a?b#c.', 'https://there.example/a?b#c'],
  ['the first of several', 'http://one.example and http://two.example', 'http://one.example/'],
  ['none of this server', 'https://rookery.example/@mara/1 http://ROOKERY.example', undefined],
  ['the first that leads elsewhere', 'https://rookery.example/tags/tea https://there.example/', 'https://there.example/'],
  ['another port, which is another server', 'https://rookery.example:8443/', 'https://rookery.example:8443/'],
  ['none with credentials', 'https://me:secret@there.example/', undefined],
  ['none without a scheme', 'there.example', undefined],
]

describe('linkShown', () => {
  it.each(TEXTS)('finds %s', (_, text, link) => expect(linkShown({ text, attachments: [] }, HERE)).toBe(link))
  it('finds none beside files', () => {
    expect(linkShown({ text: 'https://there.example/', attachments: [{}] }, HERE)).toBeUndefined()
  })
})

describe('linkOf', () => {
  it('knows links that differ in the fragment for one page', () => {
    const [one, two, other] = ['https://there.example/#a', 'https://there.example/#b', 'https://there.example/?'].map(linkOf)
    expect([one?.url, one?.pageUrl]).toEqual(['https://there.example/#a', 'https://there.example/'])
    expect([one?.digest === two?.digest, one?.digest === other?.digest]).toEqual([true, false])
  })
  it('takes no other text', () => expect(linkOf('tea')).toBeUndefined())
})
