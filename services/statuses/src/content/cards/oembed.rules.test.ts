import { expect, test } from 'vitest'
import { readOembed } from './oembed.rules.ts'

test('an answer is read with all its parts', () => {
  const said = { type: 'video', title: 'Tea', author_name: 'Mara', author_url: 'https://a.example', provider_name: 'Tubes' }
  const more = {
    provider_url: 'https://t.example',
    thumbnail_url: 'https://t.example/1.png',
    url: 'u',
    html: '<iframe>',
    width: 640,
    height: 360,
  }
  expect(readOembed(JSON.stringify({ ...said, ...more }))).toEqual({
    type: 'video',
    title: 'Tea',
    authorName: 'Mara',
    authorUrl: 'https://a.example',
    providerName: 'Tubes',
    providerUrl: 'https://t.example',
    thumbnailUrl: 'https://t.example/1.png',
    url: 'u',
    html: '<iframe>',
    width: 640,
    height: 360,
  })
})

test.each(['', 'no JSON', 'null', '"link"', '{}', '{"type":"page"}', '{"type":["link"]}'])('%j is no answer', (json) => {
  expect(readOembed(json)).toBeUndefined()
})

test.each([
  [640, 640],
  ['640', 640],
  ['640px', 640],
  ['640.6', 641],
  ['100%', 0],
  [-5, 0],
  [123_456, 0],
  [null, 0],
])('a width of %j is %i', (width, expected) => {
  expect(readOembed(JSON.stringify({ type: 'link', width }))?.width).toBe(expected)
})

test('a part of another type is left out', () => {
  expect(readOembed('{"type":"link","title":7,"html":{"a":1}}')).toMatchObject({ title: '', html: '' })
})
