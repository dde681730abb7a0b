import { describe, expect, test } from 'vitest'
import { fieldsAfter, linkedPage, linksBack, stillVerified } from './link.rules.ts'

const BASE = 'https://birds.example'
const field = (value: string, verified_at?: number) => ({ name: 'Web', value, html: value, ...(verified_at && { verified_at }) })

test.each([
  ['https://tea.example/me', 'https://tea.example/me'],
  [' http://tea.example ', 'http://tea.example/'],
  ['HTTPS://tea.example/', 'https://tea.example/'],
  ['see https://tea.example/', undefined],
  ['https://tea.example/ or so', undefined],
  ['tea.example', undefined],
  ['ftp://tea.example/', undefined],
  ['https://birds.example/@mara', undefined],
  ['https://mara:secret@tea.example/', undefined],
  ['', undefined],
])('the field %j links to %s', (value, page) => expect(linkedPage(value, BASE)).toBe(page))

test('a field with the value of before stays verified, a new one is not', () => {
  expect(stillVerified([field('a'), field('b')], [field('a', 5), field('c', 6)])).toEqual([field('a', 5), field('b')])
})

describe('after a page was asked', () => {
  const url = 'https://tea.example/'
  const asked = (linksBackNow: boolean) => ({ url, linksBack: linksBackNow, now: 9, baseUrl: BASE })
  test.each([
    ['a field whose page links back is verified now', [field(url), field('b')], true, [field(url, 9), field('b')]],
    ['a field that was verified before keeps its time', [field(url, 5)], true, undefined],
    ['a field whose page links back no more is not verified', [field(url, 5)], false, [field(url)]],
    ['a field that was not verified stays as it is', [field(url)], false, undefined],
    ['fields that were replaced meanwhile stay as they are', [field('https://other.example/')], true, undefined],
  ])('%s', (_what, fields, isBack, expected) => expect(fieldsAfter(fields, asked(isBack))).toEqual(expected))
})

describe('a page links back', () => {
  const addresses = ['https://birds.example/@mara']
  const page = { pageUrl: 'https://tea.example/', addresses }
  test.each([
    ['by a link', '<a rel="me" href="https://birds.example/@mara">x</a>', true],
    ['by an element of its head', '<link rel="me" href="https://birds.example/@mara">', true],
    ['by one of several relations', '<a rel="noopener ME" href="https://birds.example/@mara">x</a>', true],
    ['regardless of the case of the address', '<a rel="me" href="https://Birds.example/@Mara">x</a>', true],
    ['with a fragment', '<a rel="me" href="https://birds.example/@mara#x">x</a>', true],
    ['not without the relation', '<a href="https://birds.example/@mara">x</a>', false],
    ['not by part of a relation', '<a rel="meet" href="https://birds.example/@mara">x</a>', false],
    ['not to another', '<a rel="me" href="https://birds.example/@joel">x</a>', false],
    ['not by another element', '<area rel="me" href="https://birds.example/@mara">', false],
    ['not in a comment', '<!-- <a rel="me" href="https://birds.example/@mara">x</a> -->', false],
    ['as deep as pages are', `${'<div>'.repeat(255)}<a rel="me" href="https://birds.example/@mara">x</a>`, true],
    ['not deeper than pages are', `${'<div>'.repeat(256)}<a rel="me" href="https://birds.example/@mara">x</a>`, false],
    ['after elements side by side', `${'<p></p>'.repeat(300)}<a rel="me" href="https://birds.example/@mara">x</a>`, true],
  ])('%s', (_how, html, expected) => expect(linksBack(html, page)).toBe(expected))

  test('to an address with capital letters', () => {
    const html = '<a rel="me" href="https://birds.example/@mara">x</a>'
    expect(linksBack(html, { ...page, addresses: ['https://birds.example/@Mara'] })).toBe(true)
  })

  test('by an address that is relative to its own', () => {
    expect(linksBack('<a rel="me" href="/@mara">x</a>', { pageUrl: 'https://birds.example/about', addresses })).toBe(true)
  })
})
