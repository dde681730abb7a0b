import { expect, it } from 'vitest'
import { createdAnswer, usedAnswer } from './answer.rules.ts'

const created = { id: 'AQ', response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['usb', 'usb', 'pigeon', 7] } }
const used = { id: 'AQ', response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'MA', userHandle: 'Nw' } }

it('reads what browsers say, and keeps the transports that there are', () => {
  expect(createdAnswer(JSON.stringify(created))?.response).toEqual({ clientDataJSON: 'e30', attestationObject: 'oA', transports: ['usb'] })
  expect(usedAnswer(JSON.stringify(used))?.response).toEqual(used.response)
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
