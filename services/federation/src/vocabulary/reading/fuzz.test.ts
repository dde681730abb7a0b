import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DocumentError } from '../../contract.ts'
import { objectOf } from '../../documents/index.ts'
import { fingerOf, handleOf } from '../../resolving/webfinger.rules.ts'
import { readActivity, readActor, readCollection, readObject, readQuoteAuthorization } from '../index.ts'

// Readers of other servers' responses, with random JSON and random bytes: each returns a result or undefined, and never throws an
// unexpected error.

const RUNS = { seed: Number(process.env['FUZZ_SEED'] ?? 20_260_505), numRuns: 3000 }

const NAMES = [
  ...['id', 'type', 'actor', 'object', 'to', 'cc', 'attributedTo', 'content', 'contentMap', 'name', 'summary', 'tag', 'attachment', 'url'],
  ...[
    'inReplyTo',
    'published',
    'updated',
    'sensitive',
    'oneOf',
    'anyOf',
    'replies',
    'endTime',
    'votersCount',
    'quote',
    'interactionPolicy',
  ],
  ...['publicKey', 'publicKeyPem', 'owner', 'inbox', 'endpoints', 'sharedInbox', 'preferredUsername', 'icon', 'image', 'alsoKnownAs'],
  ...[
    'items',
    'orderedItems',
    'first',
    'next',
    'totalItems',
    'target',
    'instrument',
    'href',
    'mediaType',
    'focalPoint',
    'blurhash',
    'width',
  ],
  ...['subject', 'links', 'rel', 'duration', 'icons', '@context', '__proto__', 'constructor', 'length', 'canQuote', 'automaticApproval'],
]
const WORDS = [
  ...[
    'Note',
    'Person',
    'Create',
    'Question',
    'Mention',
    'Hashtag',
    'Emoji',
    'Collection',
    'OrderedCollectionPage',
    'Document',
    'Tombstone',
  ],
  ...[
    'https://there.example/1',
    'https://there.example/users/ann',
    'http://[::1',
    'as:Public',
    '',
    '\0',
    '\ud800',
    'self',
    'PT9999999999H',
  ],
  ...['application/activity+json', 'acct:ann@there.example', '2026-07-01T00:00:00Z', '+275760-09-13T00:00:00Z', '<p>'.repeat(500), '#'],
]
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(...WORDS),
    fc.constantFrom<unknown>(null, true, -1, 0.5, 1e308, Number.MAX_SAFE_INTEGER + 2),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('any'), { maxKeys: 8 }),
  ),
})).any
const document = fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 16 })

it('any document of another server is read or is none', () => {
  let read = 0
  fc.assert(
    fc.property(document, (json) => {
      const found = [
        readActivity(json),
        readActor(json),
        readObject(json),
        readCollection(json),
        readQuoteAuthorization(json),
        fingerOf(json),
      ]
      read += found.filter((each) => each !== undefined).length
    }),
    RUNS,
  )
  expect(read).toBeGreaterThan(0)
})

it('any bytes are an object or are refused, and any text is a handle or is none', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
        value.map((json) => Buffer.from(JSON.stringify(json))),
      ),
      (bytes) => {
        try {
          expect(objectOf(bytes)).toBeTypeOf('object')
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError)
        }
        const handle = handleOf(bytes.toString(), { allowsPrivate: false })
        if (handle) expect(handle.domain).toMatch(/^[a-z0-9.-]+$/)
      },
    ),
    RUNS,
  )
})
