import { Failure } from '@rookery/failures'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formOf, parseForm } from './form.ts'

/** Parsed values as plain objects: those of a form have no prototype. */
const parsed = (text: string) => JSON.parse(JSON.stringify(parseForm(text)))

describe('a form', () => {
  test.each([
    ['', {}],
    ['k=a', { k: 'a' }],
    ['k=a&k=b', { k: 'b' }],
    ['k', { k: '' }],
    ['k=', { k: '' }],
    ['=a&&k=b', { k: 'b' }],
    ['k=a=b', { k: 'a=b' }],
    ['k=a+b%2Bc', { k: 'a b+c' }],
    ['k[]=a&k[]=b', { k: ['a', 'b'] }],
    ['k%5B%5D=a', { k: ['a'] }],
    ['k[0]=a&k[1]=b', { k: ['a', 'b'] }],
    ['k[9]=a&k[2]=b', { k: ['a', 'b'] }],
    ['k[9]=a&k[-2]=b&k[3]=c', { k: ['a', 'b', 'c'] }],
    ['k[x]=a&k[y]=b', { k: { x: 'a', y: 'b' } }],
    ['k[x]=a&k[0]=b', { k: { x: 'a', 0: 'b' } }],
    ['k[x][]=a&k[x][]=b', { k: { x: ['a', 'b'] } }],
    ['k[][x]=a&k[][y]=b', { k: [{ x: 'a', y: 'b' }] }],
    ['k[][x]=a&k[][x]=b', { k: [{ x: 'a' }, { x: 'b' }] }],
    [
      'k[][x]=a&k[][y]=b&k[][x]=c&k[][y]=d',
      {
        k: [
          { x: 'a', y: 'b' },
          { x: 'c', y: 'd' },
        ],
      },
    ],
    ['k[][x][z]=a&k[][x][w]=b&k[][x][z]=c', { k: [{ x: { z: 'a', w: 'b' } }, { x: { z: 'c' } }] }],
    ['k[][x][]=a&k[][x][]=b', { k: [{ x: ['a', 'b'] }] }],
    ['k[1][x]=a&k[0][x]=b&k[1][y]=c', { k: [{ x: 'a', y: 'c' }, { x: 'b' }] }],
    ['k=a&k[]=b', { k: ['b'] }],
    ['k[]=a&k[x]=b', { k: { x: 'b' } }],
    ['k[x=a&[y]=b&k]=c', { 'k[x': 'a', '[y]': 'b', 'k]': 'c' }],
    ['a[admin.sign_up]=1', { a: { 'admin.sign_up': '1' } }],
  ])('%s', (text, values) => expect(parsed(text)).toEqual(values))

  test('takes no name for more than a name', () => {
    const values = parseForm('__proto__[x]=a&constructor[prototype][x]=b&k[__proto__][x]=c&toString=d') as Record<string, unknown>
    expect(Object.keys(values)).toEqual(['__proto__', 'constructor', 'k', 'toString'])
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  test.each([
    ['%zz', /percent-encoded/],
    ['k=%ff', /percent-encoded/],
    ['k=%00', /NUL/],
    ['%00=k', /NUL/],
    [`k${'[x]'.repeat(20)}=a`, /too deeply/],
    ['k=a&'.repeat(2001), /more than 2000/],
  ])('%.20s is refused', (text, message) => {
    expect(() => parseForm(text)).toThrow(expect.objectContaining({ kind: 'malformed', message: expect.stringMatching(message) }))
  })

  test('is read or refused, regardless of what it is', () => {
    const name = fc.string({ unit: fc.constantFrom('k', '[', ']', '0', 'x', '_'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (pairs) => {
        try {
          formOf(pairs)
        } catch (error) {
          expect(error).toBeInstanceOf(Failure)
        }
      }),
    )
  })

  test('gives back plain pairs as they were', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.stringMatching(/^[a-z_]{1,8}$/),
          fc.string().filter((text) => !text.includes('\0')),
        ),
        (values) => {
          expect(parsed(new URLSearchParams(values).toString())).toEqual({ ...values })
        },
      ),
    )
  })
})
