import { expect, test } from 'vitest'
import { isChanged, keepsPlace, timeOfEdit } from './edit.rules.ts'
import type { EditableStatus, Edited } from './edit.store.ts'

const POLL = { expiresAt: 1000, isMultiple: false, hidesTotals: false, options: ['tea', 'coffee'], votes: [1, 0], voters: 1 }
const FILE = {
  id: '1',
  type: 'image',
  url: 'https://a.example/1.png',
  preview_url: 'https://a.example/s1.png',
  description: '',
  blurhash: '',
}

const BEFORE = {
  id: '7',
  version: 1,
  text: 'tea',
  spoilerText: '',
  sensitive: false,
  language: 'en',
  content: '<p>tea</p>',
  createdAt: new Date(0),
  editedAt: null,
  hasRevisions: false,
  visibility: 1,
  mentions: [],
  tags: [],
  attachments: [FILE],
  poll: POLL,
  emojis: [],
  isQuote: false,
}
const AFTER = { ...BEFORE, tags: [], at: new Date(1) }

test.each([
  ['nothing', AFTER, false],
  ['the text', { ...AFTER, text: 'coffee' }, true],
  ['the warning', { ...AFTER, spoilerText: 'food' }, true],
  ['the mark as sensitive', { ...AFTER, sensitive: true }, true],
  ['the language', { ...AFTER, language: null }, true],
  ['the description of a file', { ...AFTER, attachments: [{ ...FILE, description: 'a cup' }] }, true],
  ['the focus of a file', { ...AFTER, attachments: [{ ...FILE, focus: { x: 0.5, y: 0 } }] }, true],
  ['one file for another with the same text', { ...AFTER, attachments: [{ ...FILE, id: '2' }] }, true],
  ['the thumbnail of a file', { ...AFTER, attachments: [{ ...FILE, preview_url: 'https://a.example/s2.png' }] }, true],
  ['where the same thumbnail is served', { ...AFTER, attachments: [{ ...FILE, preview_url: 'https://b.example/s1.png' }] }, false],
  ['a file that goes', { ...AFTER, attachments: [] }, true],
  ['an option of the poll', { ...AFTER, poll: { ...POLL, options: ['tea', 'water'] } }, true],
  ['whether the poll hides its totals', { ...AFTER, poll: { ...POLL, hidesTotals: true } }, true],
  ['the end of the poll', { ...AFTER, poll: { ...POLL, expiresAt: 61_000 } }, true],
  ['the end of the poll by less than a minute', { ...AFTER, poll: { ...POLL, expiresAt: 60_999 } }, false],
  ['a poll that ends no more', { ...AFTER, poll: { ...POLL, expiresAt: null } }, true],
  ['the votes of the poll', { ...AFTER, poll: { ...POLL, votes: [0, 0], voters: 0 } }, false],
  ['a poll that goes', { ...AFTER, poll: null }, true],
])('an edit of %s makes a revision: %3$s', (_what, after, expected) => expect(isChanged(BEFORE, after)).toBe(expected))

test.each([
  ['the width', { x: 0.5, y: 0 }, true],
  ['the height', { x: 0, y: 0.5 }, true],
  ['nothing', { x: 0, y: 0 }, false],
])('an edit of %s of a focus makes a revision: %3$s', (_what, focus, expected) => {
  const focused = { attachments: [{ ...FILE, focus: { x: 0, y: 0 } }] }
  expect(isChanged({ ...BEFORE, ...focused }, { ...AFTER, attachments: [{ ...FILE, focus }] })).toBe(expected)
})

const TEA = { name: 'tea', display: 'Tea' }
const MILK = { name: 'milk', display: 'milk' }
const ANN = { id: '1', username: 'ann', url: '', acct: 'ann' } as unknown as Edited['mentions'][number]

test.each<[what: string, before: Partial<EditableStatus>, after: Partial<Edited>, expected: boolean]>([
  ['of its text', {}, { text: 'coffee' }, true],
  ['of its language', {}, { language: 'de' }, false],
  ['that keeps its tags, in another order', { tags: ['tea', 'milk'] }, { tags: [MILK, TEA] }, true],
  ['by which it has a tag', {}, { tags: [TEA] }, false],
  ['by which it loses a tag', { tags: ['tea'] }, {}, false],
  ['by which it has another tag', { tags: ['tea'] }, { tags: [MILK] }, false],
  ['by which it mentions someone', {}, { mentions: [ANN] }, false],
  ['that mentions who was mentioned', { mentions: [ANN] }, { mentions: [ANN] }, true],
  ['that mentions someone no more', { mentions: [ANN] }, {}, true],
])('whether a status keeps its place by an edit %s', (_what, before, after, expected) => {
  const edited = { ...BEFORE, tags: [], at: new Date(1), ...after }
  expect(keepsPlace({ ...BEFORE, ...before }, edited)).toBe(expected)
})

test.each<[what: string, editedAt: number | null, now: number, expected: number]>([
  ['now', null, 5000, 5000],
  ['now, after another edit', 4000, 5000, 5000],
  ['behind an edit that began later', 6000, 5000, 6001],
  ['behind an edit of the same moment', 5000, 5000, 5001],
  ['behind the status itself', null, 0, 1],
])('an edit is of %s', (_what, editedAt, now, expected) => {
  const before: EditableStatus = { ...BEFORE, editedAt: editedAt === null ? null : new Date(editedAt) }
  expect(timeOfEdit(before, now)).toEqual(new Date(expected))
})
