import { describe, expect, it } from 'vitest'
import { draftApp, faultsOfApp } from './app.rules.ts'

const sent = { name: 'Elk', redirectUris: ['elk://x'], scopes: '', website: '' }
const faults = (more: Partial<typeof sent>) => faultsOfApp(draftApp({ ...sent, ...more }))

describe('an app', () => {
  it.each([
    'https://app.example/api/rookery.example/oauth/https%3A%2F%2Felk.zone',
    'oauth2redirect://com.keylesspalace.tusky/',
    'icecubesapp://',
    'com.tapbots.Ivory.10217:/request_token',
    'http://localhost:3000/cb',
    'urn:ietf:wg:oauth:2.0:oob',
  ])('may be returned to at %s, kept as it is', (uri) => {
    const draft = draftApp({ ...sent, redirectUris: [uri] })
    expect(draft.redirectUris).toEqual([uri])
    expect(faultsOfApp(draft)).toEqual([])
  })

  it('may send its URIs on lines of their own', () => {
    expect(draftApp({ ...sent, redirectUris: ['a:b\nc:d e:f', 'a:b'] }).redirectUris).toEqual(['a:b', 'c:d', 'e:f'])
  })

  it('asks for read unless it says otherwise, with spaces or plus signs', () => {
    expect(draftApp(sent).scopes).toEqual(['read'])
    expect(draftApp({ ...sent, scopes: 'read+write push' }).scopes).toEqual(['read', 'write', 'push'])
  })

  it.each([
    [{ name: '🐦'.repeat(60) }],
    [{ redirectUris: ['https://app.example/'.padEnd(2000, 'x')] }],
    [{ redirectUris: ['https://a.example/'.padEnd(999, 'x'), 'https://b.example/'.padEnd(1000, 'x')] }],
    [{ website: 'https://app.example/'.padEnd(2000, 'x') }],
    [{ website: ' http://app.example ' }],
    [{ scopes: ' \n' }],
  ])('is taken at its bounds, without the space around it: %#', (more) => expect(faults(more)).toEqual([]))

  it('has no URI of space alone', () => expect(draftApp({ ...sent, redirectUris: [' a:b\n'] }).redirectUris).toEqual(['a:b']))

  it.each([
    [{ name: ' ' }, "Name can't be blank"],
    [{ name: 'x'.repeat(61) }, 'Name is too long (maximum is 60 characters)'],
    [{ name: 'a\0b' }, 'Name is invalid'],
    [{ redirectUris: [] }, "Redirect URI can't be blank"],
    [{ redirectUris: ['/relative'] }, 'Redirect URI must be an absolute URI.'],
    [{ redirectUris: ['JavaScript:alert(1)'] }, 'Redirect URI is forbidden by the server.'],
    [{ redirectUris: ['data:text/html,x'] }, 'Redirect URI is forbidden by the server.'],
    [{ redirectUris: ['vbscript:x'] }, 'Redirect URI is forbidden by the server.'],
    [{ redirectUris: ['https://app.example/#x'] }, 'Redirect URI cannot contain a fragment.'],
    [{ redirectUris: [`https://app.example/${'x'.repeat(2000)}`] }, 'Redirect URI is too long (maximum is 2000 characters)'],
    [
      { redirectUris: ['one', 'other'].map((name) => `https://app.example/${name}${'x'.repeat(1000)}`) },
      'Redirect URI is too long (maximum is 2000 characters)',
    ],
    [
      { redirectUris: ['https://a.example/'.padEnd(1000, 'x'), 'https://b.example/'.padEnd(1000, 'x')] },
      'Redirect URI is too long (maximum is 2000 characters)',
    ],
    [{ redirectUris: ['https://app.example/\0'] }, 'Redirect URI must be an absolute URI.'],
    [{ website: 'https://app.example/'.padEnd(2001, 'x') }, 'Website is too long (maximum is 2000 characters)'],
    [{ website: 'https://app.example/\0' }, 'Website is invalid'],
    [{ website: 'web+http://app.example' }, 'Website is invalid'],
    [{ website: 'app.example' }, 'Website is invalid'],
    [{ website: 'javascript:alert(1)' }, 'Website is invalid'],
    [{ scopes: 'read nope' }, "Scopes doesn't match configured on the server."],
  ])('%j is refused', (more, fault) => expect(faults(more)).toEqual([fault]))
})
