import { describe, expect, test } from 'vitest'
import * as shapes from '../../../tests/shapes/actors.ts'
import { readActor } from './actor.ts'

describe('an actor of another server is read', () => {
  test('of Mastodon, whole', () => {
    const actor = readActor(shapes.mastodonPerson)!
    expect(actor).toMatchObject({
      uri: 'https://mastodon.example/users/ann',
      inbox: 'https://mastodon.example/users/ann/inbox',
      sharedInbox: 'https://mastodon.example/inbox',
      followersUri: 'https://mastodon.example/users/ann/followers',
      featuredUri: 'https://mastodon.example/users/ann/collections/featured',
      keyId: 'https://mastodon.example/users/ann#main-key',
    })
    expect(actor.profile).toMatchObject({
      movedTo: 'https://new.example/users/ann',
      url: 'https://mastodon.example/@ann',
      username: 'ann',
      domain: 'mastodon.example',
      displayName: 'Ann :tea:',
      noteHtml: '<p>Birds</p>',
      fields: [{ name: 'Site', value: '<a href="https://ann.example">ann.example</a>' }],
      avatarUrl: 'https://files.mastodon.example/ann.jpg',
      headerUrl: 'https://files.mastodon.example/header.jpg',
      locked: true,
      bot: false,
      discoverable: true,
      indexable: true,
      isMemorial: false,
      createdAtMilliseconds: Date.parse('2024-03-01T00:00:00Z'),
      emojis: [{ shortcode: 'tea', url: 'https://files.mastodon.example/tea.png' }],
      alsoKnownAs: ['https://old.example/users/ann'],
      isGroup: false,
    })
  })

  test.each([
    [
      'GoToSocial, with one field that is no array',
      shapes.gotosocialPerson,
      { username: 'ben', fields: [{ name: 'pronouns', value: 'he' }] },
    ],
    ['Akkoma, as a bot', shapes.akkomaPerson, { username: 'cem', bot: true, discoverable: false }],
    ['Misskey, with null for what is not said', shapes.misskeyPerson, { username: 'dora', displayName: '', noteHtml: '', avatarUrl: '' }],
    [
      'PeerTube, with the largest of its pictures',
      shapes.peertubeChannel,
      { isGroup: true, avatarUrl: 'https://peertube.example/large.png' },
    ],
    ['Lemmy, as a group', shapes.lemmyGroup, { isGroup: true, headerUrl: 'https://lemmy.example/pictrs/banner.png' }],
    ['Pixelfed', shapes.pixelfedPerson, { username: 'fay', url: 'https://pixelfed.example/fay' }],
    ['WriteFreely, with a hyphen in the name', shapes.writefreelyBlog, { username: 'gil-writes' }],
    ['snac, on localhost', shapes.snacPerson, { username: 'hal', domain: 'localhost:8001' }],
  ])('of %s', (_server, document, profile) => expect(readActor(document)?.profile).toMatchObject(profile))

  test.each([
    [
      ['birds.example', 'news.example'],
      ['birds.example', 'news.example'],
    ],
    ['birds.example', ['birds.example']],
    [undefined, []],
    [['birds.example', 7, {}, ''], ['birds.example']],
    [Array.from({ length: 200 }, (_, n) => `d${n}.example`), Array.from({ length: 100 }, (_, n) => `d${n}.example`)],
  ])('with the domains whose pages may name them: %j', (attributionDomains, domains) =>
    expect(readActor({ ...shapes.mastodonPerson, attributionDomains })?.profile.attributionDomains).toEqual(domains),
  )

  test.each<[string, object[], { name: string; value: string }[]]>([
    ['types under the prefix of schema.org', [{ type: 'schema:PropertyValue', name: 'Site', value: 'a' }], [{ name: 'Site', value: 'a' }]],
    ['types by their whole name', [{ type: 'http://schema.org#PropertyValue', name: 'Site', value: 'a' }], [{ name: 'Site', value: 'a' }]],
    [
      'notes and links (FEP-fb2a)',
      [
        { type: 'Note', name: 'Pronouns', content: 'they' },
        { type: 'Link', name: 'Site', href: 'https://a.example/?a=1&b=2' },
        { type: 'Link', name: 'Script', href: 'javascript:alert(1)' },
      ],
      [
        { name: 'Pronouns', value: 'they' },
        { name: 'Site', value: '<a href="https://a.example/?a=1&amp;b=2">https://a.example/?a=1&amp;b=2</a>' },
      ],
    ],
    [
      'notes beside what says the same for others',
      [
        { type: 'PropertyValue', name: 'Pronouns', value: 'they' },
        { type: 'Note', name: 'Pronouns', content: 'they' },
      ],
      [{ name: 'Pronouns', value: 'they' }],
    ],
  ])('with fields of %s', (_kind, attachment, fields) =>
    expect(readActor({ ...shapes.mastodonPerson, attachment })?.profile.fields).toEqual(fields),
  )

  test('with a name and a note by language', () => {
    const { name, summary, ...person } = shapes.mastodonPerson
    const document = { ...person, nameMap: { de: name }, summaryMap: { de: summary } }
    expect(readActor(document)?.profile).toMatchObject({ displayName: 'Ann :tea:', noteHtml: '<p>Birds</p>' })
  })
})

const ann = shapes.mastodonPerson
const PROOFS = {
  id: `${ann.id}#ed25519-key`,
  type: 'Multikey',
  controller: ann.id,
  publicKeyMultibase: 'z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2',
}

describe('the key of an actor', () => {
  test('is the one for proofs where there is no other (FEP-521a)', () => {
    const read = readActor({ ...ann, publicKey: undefined, assertionMethod: [PROOFS] })
    expect(read).toMatchObject({ keyId: PROOFS.id, publicKeyPem: expect.stringContaining('BEGIN PUBLIC KEY') })
  })

  test('is the one for requests where there are both', () => {
    expect(readActor({ ...ann, assertionMethod: [PROOFS] })).toMatchObject({ keyId: ann.publicKey.id, proofKeyId: PROOFS.id })
  })
})

describe('an actor is none', () => {
  test.each([
    ['of another type', { ...ann, type: 'Note' }],
    ['without an id', { ...ann, id: undefined }],
    ['with an id that is no address of the web', { ...ann, id: 'acct:ann@mastodon.example' }],
    ['with credentials in its id', { ...ann, id: 'https://a:b@mastodon.example/users/ann' }],
    ['with a line feed in its id', { ...ann, id: 'https://mastodon.example/users/\nann' }],
    ['without an inbox', { ...ann, inbox: undefined }],
    ['with an inbox that is no address', { ...ann, inbox: { href: 5 } }],
    ['without a username', { ...ann, preferredUsername: undefined }],
    ['with a username that is a handle', { ...ann, preferredUsername: 'ann@other.example' }],
    ['with a username of letters that look alike', { ...ann, preferredUsername: 'аnn' }],
    ['with a username that never ends', { ...ann, preferredUsername: 'a'.repeat(5000) }],
    ['that is an array', [ann]],
    ['that is text', 'https://mastodon.example/users/ann'],
    ['that is null', null],
  ])('%s', (_why, document) => expect(readActor(document)).toBeUndefined())
})

describe('of an actor is not believed', () => {
  test.each([
    ['a key of another owner', { publicKey: { ...ann.publicKey, owner: 'https://mastodon.example/users/other' } }, { keyId: '' }],
    ['a key on another host', { publicKey: { ...ann.publicKey, id: 'https://evil.example/key' } }, { keyId: '' }],
    [
      'a key for proofs under another controller',
      { publicKey: undefined, assertionMethod: { ...PROOFS, controller: 'https://mastodon.example/users/other' } },
      { keyId: '' },
    ],
    [
      'a key for proofs on another host',
      { publicKey: undefined, assertionMethod: { ...PROOFS, id: 'https://evil.example/key' } },
      { keyId: '' },
    ],
    ['a shared inbox on another host', { endpoints: { sharedInbox: 'https://evil.example/inbox' } }, { sharedInbox: '', inbox: ann.inbox }],
    ['a page on another host', { url: 'https://evil.example/@ann' }, { profile: { url: '' } }],
    ['a page that is a script', { url: 'javascript:alert(1)' }, { profile: { url: '' } }],
    ['an avatar that is no address', { icon: { type: 'Image', url: 'data:image/png;base64,AA' } }, { profile: { avatarUrl: '' } }],
    [
      'more than 16 fields',
      { attachment: Array(500).fill(ann.attachment[0]) },
      {
        profile: {
          fields: Array(16)
            .fill(ann.attachment)
            .map(([{ name, value }]) => ({ name, value })),
        },
      },
    ],
    ['a time before 1970', { published: '1900-01-01T00:00:00Z' }, { profile: { createdAtMilliseconds: undefined } }],
    ['a name of an object', { name: { toString: 'x' } }, { profile: { displayName: '' } }],
    ['NUL in a name', { name: 'a\u0000b' }, { profile: { displayName: 'ab' } }],
  ])('%s', (_what, said, expected) => expect(readActor({ ...ann, ...said })).toMatchObject(expected))
})
