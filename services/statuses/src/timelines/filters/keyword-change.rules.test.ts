import { KeywordChange } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { namedIds, planFaults, planOf } from './keyword-change.rules.ts'

const plan = (...changes: Parameters<typeof KeywordChange.fromPartial>[0][]) =>
  planOf(changes.map((each) => KeywordChange.fromPartial(each)))
const NOTHING = { added: [], changed: [], removedIds: [] }

describe('changes of keywords', () => {
  test.each([
    [
      'a new one, a whole word unless said otherwise',
      plan({ keyword: 'tea' }),
      { ...NOTHING, added: [{ keyword: 'tea', wholeWord: true }] },
    ],
    ['a new part of words', plan({ keyword: 'tea', wholeWord: false }), { ...NOTHING, added: [{ keyword: 'tea', wholeWord: false }] }],
    ['a new one that says nothing', plan({}), NOTHING],
    ['a new one that is removed at once', plan({ keyword: 'tea', isRemoved: true }), NOTHING],
    ['another text', plan({ id: '1', keyword: 'cake' }), { ...NOTHING, changed: [{ id: '1', keyword: 'cake', wholeWord: undefined }] }],
    ['a removal', plan({ id: '1', isRemoved: true }), { ...NOTHING, removedIds: ['1'] }],
    ['the last of two about one', plan({ id: '1', keyword: 'cake' }, { id: '1', isRemoved: true }), { ...NOTHING, removedIds: ['1'] }],
  ])('%s', (_what, made, expected) => expect(made).toEqual(expected))

  test('name those that must be there', () => {
    expect(namedIds(plan({ keyword: 'tea' }, { id: '1', keyword: 'cake' }, { id: '2', isRemoved: true }))).toEqual(['1', '2'])
  })

  test.each([
    ['none', plan({ keyword: 'tea' }, { id: '1', wholeWord: true }), []],
    ['a blank new one', plan({ keyword: ' ' }), ["Keywords keyword can't be blank"]],
    ['a blank text', plan({ id: '1', keyword: '' }), ["Keywords keyword can't be blank"]],
    ['not of one that goes', plan({ id: '1', keyword: '', isRemoved: true }), []],
  ])('are judged: %s', (_what, made, faults) => expect(planFaults(made)).toEqual(faults))
})
