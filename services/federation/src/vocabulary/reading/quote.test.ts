import { describe, expect, test } from 'vitest'
import { PUBLIC } from './audience.ts'
import { quotersOf, quotingOf, readQuoteAuthorization } from './quote.ts'

const QUOTED = 'https://far.example/notes/1'
const APPROVAL = 'https://far.example/approvals/1'

describe('a quote', () => {
  test.each([
    ['by FEP-044f, which asks for approval', { quote: QUOTED, _misskey_quote: QUOTED }, [QUOTED, '', true]],
    ['with what approves it', { quote: QUOTED, quoteAuthorization: APPROVAL }, [QUOTED, APPROVAL, true]],
    ['of Misskey, without approval', { _misskey_quote: QUOTED, quoteAuthorization: APPROVAL }, [QUOTED, '', false]],
    ['of Pleroma', { quoteUrl: QUOTED }, [QUOTED, '', false]],
    ['of Fedibird', { quoteUri: QUOTED }, [QUOTED, '', false]],
    ['by a link among the tags', { tag: { type: 'Link', mediaType: 'application/activity+json', href: QUOTED } }, [QUOTED, '', false]],
    ['of nothing', { quote: 7, tag: { type: 'Link', href: QUOTED } }, ['', '', false]],
  ])('is read %s', (_how, object, expected) => {
    const { quotedUri, quoteAuthorizationUri, needsQuoteApproval } = quotingOf(object)
    expect([quotedUri, quoteAuthorizationUri, needsQuoteApproval]).toEqual(expected)
  })
})

test.each([
  ['everyone', { canQuote: { automaticApproval: 'as:Public' } }, [PUBLIC]],
  ['followers', { canQuote: { automaticApproval: ['https://far.example/a/followers'] } }, ['https://far.example/a/followers']],
  ['no one at once, whom its author is asked for', { canQuote: { manualApproval: [PUBLIC] } }, []],
  ['those it does not say', { canReply: { always: PUBLIC } }, undefined],
  ['those nothing says', undefined, undefined],
])('a status may be quoted by %s', (_whom, interactionPolicy, expected) => expect(quotersOf({ interactionPolicy })).toEqual(expected))

test('what approves a quote names its author and both statuses', () => {
  const document = {
    id: APPROVAL,
    type: 'QuoteAuthorization',
    attributedTo: 'https://far.example/a',
    interactingObject: 'https://here.example/1',
    interactionTarget: QUOTED,
  }
  expect(readQuoteAuthorization(document)).toEqual({
    uri: APPROVAL,
    authorUri: 'https://far.example/a',
    quotingUri: 'https://here.example/1',
    quotedUri: QUOTED,
  })
  for (const name of ['id', 'type', 'attributedTo', 'interactingObject', 'interactionTarget']) {
    expect(readQuoteAuthorization({ ...document, [name]: undefined }), name).toBeUndefined()
  }
})
