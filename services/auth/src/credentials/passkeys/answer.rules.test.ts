import { expect, it } from 'vitest'
import { createdAnswer, usedAnswer } from './answer.rules.ts'

const created = { id: 'AQ', response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['usb', 'usb', 'pigeon', 7] } }
const used = { id: 'AQ', response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'MA', userHandle: 'Nw' } }

const SHARED = { id: 'AQ', rawId: 'AQ', type: 'public-key', clientExtensionResults: {} }
const createdBy = (response: object) => createdAnswer(JSON.stringify({ ...created, response: { ...created.response, ...response } }))
const usedBy = (response: object) => usedAnswer(JSON.stringify({ ...used, response: { ...used.response, ...response } }))

it('reads what browsers say', () => {
  expect(createdBy({ transports: [] })).toEqual({ ...SHARED, response: { ...created.response, transports: [] } })
  expect(usedBy({})).toEqual({ ...SHARED, response: used.response })
})

it.each([
  ['each that there is, once', created.response.transports, ['usb']],
  [
    'all that there are',
    ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'],
    ['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'],
  ],
  ['none where they are no list', 'usb', []],
  ['none where there are none', undefined, []],
])('keeps the transports of a passkey: %s', (_which, transports, kept) =>
  expect(createdBy({ transports })?.response.transports).toEqual(kept),
)

it('reads the longest id, and a signature that names no one', () => {
  const id = 'A'.repeat(1364)
  expect(usedAnswer(JSON.stringify({ ...used, id }))).toMatchObject({ id, rawId: id })
  expect(usedBy({ userHandle: undefined })?.response.userHandle).toBe('')
})

it.each([7, null, 'A+/='])('takes no answer with a part that is %j', (value) => {
  for (const name of ['clientDataJSON', 'attestationObject']) expect(createdBy({ [name]: value })).toBeUndefined()
  for (const name of ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']) expect(usedBy({ [name]: value })).toBeUndefined()
})

it.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['null', 'null'],
  ['no id', JSON.stringify({ ...used, id: undefined })],
  ['an empty id', JSON.stringify({ ...used, id: '' })],
  ['an id beyond what there can be', JSON.stringify({ ...used, id: 'A'.repeat(1365) })],
  ['an id that is no base64url', JSON.stringify({ ...used, id: 'A+/=' })],
  ['no response', JSON.stringify({ id: 'AQ' })],
  ['a response that is a text', JSON.stringify({ id: 'AQ', response: 'x' })],
  ['values that are no texts', JSON.stringify({ id: 'AQ', response: { clientDataJSON: {}, authenticatorData: 1, signature: [] } })],
])('takes no answer that is %s', (_what, text) => {
  expect([createdAnswer(text), usedAnswer(text)]).toEqual([undefined, undefined])
})
