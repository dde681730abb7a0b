import { UpdateAccountRequest, Visibility } from '@rookery/contracts/statuses'
import type { Failure } from '@rookery/failures'
import { describe, expect, test } from 'vitest'
import { keptDomains, privacyNamed, refuseFaults } from './profile.rules.ts'

type Update = Parameters<typeof UpdateAccountRequest.fromPartial>[0]
const faultsOf = (update: Update) => {
  try {
    refuseFaults(UpdateAccountRequest.fromPartial(update))
    return undefined
  } catch (error) {
    return error as Failure
  }
}

const of = (length: number) => 'a'.repeat(length)
const field = (name: string, value = 'x') => ({ name, value })
const fields = (...list: { name: string; value: string }[]) => ({ fields: { fields: list } })

describe('an update of a profile is taken', () => {
  test.each<[string, Update]>([
    ['without anything', {}],
    ['with a display name of 30 characters', { displayName: of(30) }],
    ['with a display name of 30 emojis of many code points', { displayName: '👩‍👩‍👧'.repeat(30) }],
    ['with a note of 500 characters', { note: of(500) }],
    ['with space around all that', { displayName: ` ${of(30)} `, note: `\n${of(500)}\n` }],
    ['with four fields', fields(...Array.from({ length: 4 }, (_, index) => field(String(index))))],
    ['with a field of 255 characters each', fields(field(of(255), of(255)))],
    ['with an empty field', fields(field('', ''))],
    ['with an empty field beside four', fields(...Array.from({ length: 4 }, (_, index) => field(String(index))), field(' ', ''))],
    ['with space around a field of 255 characters each', fields(field(` ${of(255)} `, `${of(255)}\n`))],
    ['with a known privacy, language and quote policy', { privacy: 'private', language: 'de', quotePolicy: 'nobody' }],
    ...['public', 'followers'].map((quotePolicy): [string, Update] => [`with the quote policy ${quotePolicy}`, { quotePolicy }]),
    ...['default', 'show_all', 'hide_all'].map((expandMedia): [string, Update] => [`with media shown as ${expandMedia}`, { expandMedia }]),
    ['without a preferred language', { language: '' }],
    ['with a domain named eleven times', { attributionDomains: { domains: Array.from({ length: 11 }, () => 'birds.example') } }],
    ['with ten domains', { attributionDomains: { domains: Array.from({ length: 10 }, (_, index) => `d${index}.example`) } }],
  ])('%s', (_what, update) => expect(faultsOf(update)).toBeUndefined())
})

describe('an update of a profile is refused', () => {
  test.each([
    ['with a long display name', { displayName: of(31) }, 'display_name', 'Display name is too long (maximum is 30 characters)'],
    ['with a long note', { note: of(501) }, 'note', 'Note is too long (maximum is 500 characters)'],
    ['with five fields', fields(...Array.from({ length: 5 }, () => field('a'))), 'fields', 'Fields are too many (maximum is 4)'],
    ['with a long name of a field', fields(field(of(256))), 'fields', 'Fields name is too long (maximum is 255 characters)'],
    ['with a long value of a field', fields(field('a', of(256))), 'fields', 'Fields value is too long (maximum is 255 characters)'],
    ['with a value without a name', fields(field(' ')), 'fields', "Fields name can't be blank"],
    ['with an unknown privacy', { privacy: 'direct' }, 'privacy', 'Privacy is not included in the list'],
    ['with a privacy that objects inherit', { privacy: 'constructor' }, 'privacy', 'Privacy is not included in the list'],
    ['with an unknown language', { language: 'xx' }, 'language', 'Language is not included in the list'],
    ['with an unknown quote policy', { quotePolicy: 'all' }, 'quote_policy', 'Quote policy is not included in the list'],
    ['with media shown in an unknown way', { expandMedia: 'some' }, 'expand_media', 'Expand media is not included in the list'],
    [
      'with a domain that is none',
      { attributionDomains: { domains: ['birds.example', 'no domain'] } },
      'attribution_domains',
      'Attribution domains is not a valid domain name',
    ],
    [
      'with eleven domains',
      { attributionDomains: { domains: Array.from({ length: 11 }, (_, index) => `d${index}.example`) } },
      'attribution_domains',
      'Attribution domains are too many (maximum is 10)',
    ],
  ])('%s', (_what, update, name, sentence) => {
    const failure = faultsOf(update)
    expect(failure).toMatchObject({ kind: 'invalid', message: `Validation failed: ${sentence}` })
    expect(failure?.violations.map((violation) => violation.field)).toEqual([name])
  })

  test('with all its faults at once', () => {
    expect(faultsOf({ displayName: of(31), privacy: 'x' })?.message).toBe(
      'Validation failed: Display name is too long (maximum is 30 characters), Privacy is not included in the list',
    )
  })
})

test.each([
  ['public', Visibility.PUBLIC],
  ['unlisted', Visibility.UNLISTED],
  ['private', Visibility.PRIVATE],
  ['direct', undefined],
  ['toString', undefined],
])('new posts may be %s: %s', (name, visibility) => expect(privacyNamed(name)).toBe(visibility))

test.each([
  ['in lower case, each once', ['Birds.example', 'birds.example', 'tea.example'], ['birds.example', 'tea.example']],
  [
    'as they are pasted',
    [' HTTPS://Birds.example/ ', '*.tea.example', 'http://*.cup.example', ''],
    ['birds.example', 'tea.example', 'cup.example'],
  ],
  ['only if they are some', ['see https://birds.example', 'birds.*.example', 'birds.example/tea'], []],
])('domains are kept %s', (_how, domains, kept) => expect(keptDomains(domains)).toEqual(kept))

test.each([
  [{ note: of(501) }, 'ERR_TOO_LONG'],
  [fields(...Array.from({ length: 5 }, () => field('a'))), 'ERR_TOO_LONG'],
  [fields(field('')), 'ERR_BLANK'],
  [{ privacy: 'x' }, 'ERR_INCLUSION'],
  [{ attributionDomains: { domains: ['no domain'] } }, 'ERR_INVALID'],
])('a client can tell what is wrong: %#', (update, code) =>
  expect(faultsOf(update)?.violations.map((violation) => violation.code)).toEqual([code]),
)
