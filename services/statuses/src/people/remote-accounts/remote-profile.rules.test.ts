import type { RemoteProfile } from '@rookery/contracts/statuses'
import { describe, expect, test } from 'vitest'
import { keptProfile } from './remote-profile.rules.ts'

const NOW = Date.UTC(2026, 0, 1)
const PROFILE: RemoteProfile = {
  uri: 'https://elsewhere.example/users/ann',
  url: 'https://elsewhere.example/@ann',
  username: 'ann',
  domain: 'elsewhere.example',
  displayName: 'Ann',
  noteHtml: '<p>Tea</p>',
  fields: [],
  avatarUrl: '',
  headerUrl: '',
  attributionDomains: [],
  locked: false,
  bot: false,
  discoverable: true,
  indexable: true,
  hideCollections: undefined,
  isMemorial: false,
  createdAtMilliseconds: undefined,
  followersCount: undefined,
  followingCount: undefined,
  statusesCount: undefined,
  emojis: [],
  alsoKnownAs: [],
  replacesHandle: false,
  isGroup: false,
  isSuspended: false,
}

const kept = (changes: Partial<RemoteProfile>) => keptProfile({ ...PROFILE, ...changes }, { ownDomain: 'birds.example', now: NOW })

describe('what is kept of a profile of another server', () => {
  test('HTML by allow-list', () => {
    const { columns } = kept({
      noteHtml: '<p onclick="steal()">Tea<script>alert(1)</script> <a href="javascript:alert(1)">now</a></p>',
      fields: [{ name: 'Site', value: '<a href="https://ann.example"><img src=x onerror=alert(1)>ann</a>' }],
    })
    expect(columns.noteHtml).not.toMatch(/script|onclick|alert/)
    expect(columns.noteHtml).toContain('<p>Tea')
    expect(columns.fields[0]?.html).not.toMatch(/img|onerror/)
    expect(columns.fields[0]?.html).toContain('href="https://ann.example/"')
  })

  test('domains as names, each once', () => {
    const { columns } = kept({ attributionDomains: ['Birds.example', 'birds.example.', 'https://no.example', '', '10.0.0.1'] })
    expect(columns.attributionDomains).toEqual(['birds.example'])
  })

  test('texts and lists within bounds', () => {
    const { columns, aliases } = kept({
      displayName: `${'\u{1f375}'.repeat(600)}\nand more`,
      noteHtml: 'ä'.repeat(20_000),
      fields: Array.from({ length: 80 }, () => ({ name: 'n'.repeat(300), value: 'v'.repeat(5000) })),
      emojis: Array.from({ length: 80 }, (_, number) => ({
        shortcode: `tea_${number}`,
        url: 'https://elsewhere.example/tea.png',
        staticUrl: '',
        category: '',
        visibleInPicker: true,
      })),
      alsoKnownAs: Array.from({ length: 20 }, (_, number) => `https://other.example/users/${number}`),
    })
    expect([...columns.displayName]).toHaveLength(500)
    expect(Buffer.byteLength(columns.noteHtml)).toBeLessThanOrEqual(20_480)
    expect(columns.noteHtml).not.toContain('\ufffd')
    expect(columns.fields).toHaveLength(50)
    expect(columns.fields[0]?.name).toHaveLength(255)
    expect(columns.emojis).toHaveLength(50)
    expect(aliases).toHaveLength(10)
  })

  test('texts without halves of an emoji', () => {
    const value = `${'a'.repeat(2046)}🐦`
    expect(kept({ fields: [{ name: 'Bird', value }] }).columns.fields).toEqual([
      { name: 'Bird', value: `${'a'.repeat(2046)}\ufffd`, html: `${'a'.repeat(2046)}\ufffd` },
    ])
    expect(kept({ noteHtml: `${'a'.repeat(20_479)}🐦` }).columns.noteHtml).toBe('a'.repeat(20_479))
    expect(kept({ noteHtml: 'a\ufffd' }).columns.noteHtml).toBe('a\ufffd')
    expect(kept({ noteHtml: `\ufffd${'a'.repeat(20_480)}` }).columns.noteHtml).toBe(`\ufffd${'a'.repeat(20_477)}`)
  })

  test('names on one line', () => expect(kept({ displayName: ' Ann\n\tof  Tea ' }).columns.displayName).toBe('Ann of Tea'))

  test.each([
    ['none without an address', { url: '' }, []],
    ['none whose name is too short', { shortcode: 'a' }, []],
    ['none with more before its name', { shortcode: '!tea' }, []],
    ['none with more behind its name', { shortcode: 'tea!' }, []],
    [
      'one with a still picture',
      { staticUrl: 'http://a.example/s.png' },
      [{ static_url: 'http://a.example/s.png', visible_in_picker: false }],
    ],
    ['one whose still picture is its only one', {}, [{ static_url: 'https://a.example/t.png', visible_in_picker: false }]],
  ])('of an emoji %s', (_which, more, expected) => {
    const emoji = { shortcode: 'tea', url: 'https://a.example/t.png', staticUrl: '', category: '', visibleInPicker: true, ...more }
    expect(kept({ emojis: [emoji] }).columns.emojis).toMatchObject(expected)
  })

  test('addresses no longer than they may be, and aliases as well', () => {
    const longest = 'https://a.example/'.padEnd(2048, 'a')
    const longer = `${longest}a`
    expect(kept({ url: longest, avatarUrl: longer, alsoKnownAs: [longest, longer] })).toMatchObject({
      columns: { url: longest, avatarUrl: '' },
      aliases: [longest],
    })
  })

  test('a hundred domains at most', () => {
    const attributionDomains = Array.from({ length: 101 }, (_, number) => `d${number}.example`)
    expect(kept({ attributionDomains }).columns.attributionDomains).toEqual(attributionDomains.slice(0, 100))
  })

  test.each([
    ['hidden', true, true],
    ['shown', false, false],
    ['unknown', undefined, null],
  ])('collections that are %s', (_how, hideCollections, expected) =>
    expect(kept({ hideCollections }).columns.hideCollections).toBe(expected),
  )

  test.each([
    ['a negative count', { followersCount: -5 }, { followersCount: 0 }],
    ['a count beyond all bounds', { statusesCount: 1e15 }, { statusesCount: 2_147_483_647 }],
    ['a count that is none', { statusesCount: Number.NaN }, {}],
    ['no count', { followingCount: undefined }, {}],
  ])('%s is one that fits', (_which, changes, counts) => expect(kept(changes).counts).toStrictEqual(counts))

  test.each([
    ['in the past', NOW - 1000, NOW - 1000],
    ['in the future', NOW + 1000, NOW],
    ['unknown', undefined, NOW],
    ['before there was time', -1, NOW],
  ])('an account made %s was made then, or now', (_when, createdAtMilliseconds, made) =>
    expect(kept({ createdAtMilliseconds }).createdAt.getTime()).toBe(made),
  )

  test.each([
    'javascript:alert(1)',
    'ftp://elsewhere.example/a.png',
    'https://user:word@elsewhere.example/',
    '/a.png',
    `https://a.example/${'a'.repeat(3000)}`,
  ])('no picture and no page at %s', (address) => {
    const { columns } = kept({ avatarUrl: address, headerUrl: address, url: address })
    expect(columns).toMatchObject({ avatarUrl: '', headerUrl: '', url: null })
  })

  test('the longest username and domain', () =>
    expect(kept({ username: 'a'.repeat(128), domain: 'a'.repeat(259) }).columns).toMatchObject({ username: 'a'.repeat(128) }))

  test('a person who does not say so does not want to be found', () =>
    expect(kept({ discoverable: undefined }).columns.discoverable).toBe(false))
})

test.each<[string, Partial<RemoteProfile>]>([
  ['no web address as uri', { uri: 'acct:ann@elsewhere.example' }],
  ['a uri of this server', { uri: 'https://birds.example/users/ann' }],
  ['the domain of this server', { domain: 'birds.example' }],
  ['a domain in capital letters', { domain: 'Elsewhere.example' }],
  ['a domain with a path', { domain: 'elsewhere.example/ann' }],
  ['no domain', { domain: '' }],
  ['a username with an @', { username: 'ann@there' }],
  ['no username', { username: '' }],
  ['a username that is too long', { username: 'a'.repeat(129) }],
  ['a domain that is too long', { domain: 'a'.repeat(260) }],
])('a profile with %s is refused', (_which, changes) => expect(() => kept(changes)).toThrow(expect.objectContaining({ kind: 'invalid' })))
