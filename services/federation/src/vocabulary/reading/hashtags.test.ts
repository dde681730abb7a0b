import { expect, test } from 'vitest'
import { readHashtags } from './hashtags.ts'

const tag = (name: string) => ({ type: 'Hashtag', name, href: `https://there.example/tags/${name}` })

test.each([
  ['items', { items: [tag('#Tea'), tag('cups')] }, ['Tea', 'cups']],
  ['one item alone', { orderedItems: tag('#tea') }, ['tea']],
  ['a first page that is embedded', { first: { orderedItems: [tag('#tea')] } }, ['tea']],
  ['the same tag twice, and what is none', { items: [tag('#tea'), tag('#TEA'), tag('# '), { type: 'Note', name: '#no' }, 7] }, ['tea']],
  ['nothing', { items: [] }, []],
  ['nothing, without a list of it', { totalItems: 0 }, []],
  ['a first page elsewhere', { totalItems: 2, first: 'https://there.example/tags?page=1' }, undefined],
  ['what is no collection', { error: 'not now' }, undefined],
])('the tags of %s', (_what, document, names) => expect(readHashtags(document)).toEqual(names))
