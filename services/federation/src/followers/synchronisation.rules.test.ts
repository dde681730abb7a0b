import { expect, test } from 'vitest'
import { digestOf, readSynchronisation, synchronisationHeader } from './synchronisation.rules.ts'

const [ANN, BEN] = ['https://there.example/users/ann', 'https://there.example/users/ben']

test('a digest is of those who follow, in any order, and of no one all zeros', () => {
  expect(digestOf([])).toBe('0'.repeat(64))
  expect(digestOf([ANN, BEN])).toBe(digestOf([BEN, ANN]))
  expect(digestOf([ANN, BEN])).not.toBe(digestOf([ANN]))
  expect(digestOf(['abc'])).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('the header is read as it was written', () => {
  const said = { collectionId: `${ANN}/followers`, url: `${ANN}/followers_synchronization`, digest: digestOf([BEN]) }
  expect(readSynchronisation(synchronisationHeader(said))).toEqual(said)
})

test('a digest in capital letters is the same', () => {
  const digest = digestOf([BEN])
  const header = synchronisationHeader({ collectionId: ANN, url: ANN, digest: digest.toUpperCase() })
  expect(readSynchronisation(header)?.digest).toBe(digest)
})

test.each([
  ['nothing', undefined],
  ['words', 'hello'],
  ['a digest of another length', `collectionId="${ANN}", url="${ANN}", digest="abc"`],
  ['a digest with more before it', `collectionId="${ANN}", url="${ANN}", digest="x${digestOf([])}"`],
  ['a digest with more behind it', `collectionId="${ANN}", url="${ANN}", digest="${digestOf([])}x"`],
  ['no address', `collectionId="${ANN}", digest="${digestOf([])}"`],
  ['too much', `collectionId="${'a'.repeat(9000)}", url="${ANN}", digest="${digestOf([])}"`],
])('%s is no synchronisation', (_what, header) => expect(readSynchronisation(header)).toBeUndefined())
