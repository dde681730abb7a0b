import { expectLessProcessorTime } from '@rookery/test-cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHeader } from './header.ts'
import { boundaryOf, type PartHead, readParts } from './multipart.ts'

type Part = PartHead & { content: string; isWhole: boolean }

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = async (body: string | Buffer, { size = 7, boundary = 'b' } = {}): Promise<Part[]> => {
  const parts: Part[] = []
  await readParts(cut(Buffer.from(body as string), size), boundary, (head) => {
    const part: Part = { ...head, content: '', isWhole: false }
    parts.push(part)
    return {
      write(chunk) {
        part.content += chunk.toString('latin1')
      },
      end() {
        part.isWhole = true
      },
    }
  })
  return parts
}

const part = (disposition: string, content = 'x', more = '') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`
const broken = expect.objectContaining({ kind: 'malformed' })

describe('a multipart body', () => {
  test.each<[string, string, Partial<Part>[]]>([
    ['no parts', '--b--\r\n', []],
    ['a field', `${part('name="a"')}--b--`, [{ name: 'a', fileName: undefined, content: 'x', contentType: 'text/plain' }]],
    ['a name without quotes', `${part('name=a')}--b--`, [{ name: 'a' }]],
    ['a quoted name with signs', `${part('name="a\\"b\\\\;c"')}--b--`, [{ name: 'a"b\\;c' }]],
    ['a nameless name', `${part('name=""')}--b--`, [{ name: '' }]],
    [
      'a file',
      `${part('name="a"; filename="b.png"', 'x', 'Content-Type: image/png\r\n')}--b--`,
      [{ fileName: 'b.png', contentType: 'image/png' }],
    ],
    ['a file with its path', `${part('name="a"; filename="C:\\\\x\\\\b.png"')}--b--`, [{ fileName: 'b.png' }]],
    ['a file with a name in two spellings', `${part(`name="a"; filename="_"; filename*=UTF-8''%C3%A9.png`)}--b--`, [{ fileName: 'é.png' }]],
    ['bytes without a name', `${part('name="a"', 'x', 'Content-Type: application/octet-stream\r\n')}--b--`, [{ fileName: '' }]],
    ['a charset', `${part('name="a"', 'x', 'content-type: text/plain; charset=ISO-8859-1\r\n')}--b--`, [{ charset: 'ISO-8859-1' }]],
    ['an empty part', `${part('name="a"', '')}--b--`, [{ content: '' }]],
    ['lines in a part', `${part('name="a"', '\r\n--\r\n-b\r\n')}--b--`, [{ content: '\r\n--\r\n-b\r\n' }]],
    ['a preamble and an epilogue', `before\r\n${part('name="a"')}--b--\r\nafter`, [{ name: 'a', content: 'x' }]],
    ['padding behind a boundary', `--b \t\r\n${part('name="a"').slice(5)}--b--`, [{ name: 'a' }]],
    ['two parts', `${part('name="a"')}${part('name="b"', 'y')}--b--`, [{ content: 'x' }, { content: 'y' }]],
  ])('with %s is read, wherever it is cut', async (_case, body, parts) => {
    for (const size of [1, 2, 3, 7, 64, 10_000])
      expect(await read(body, { size })).toEqual(parts.map((each) => expect.objectContaining({ isWhole: true, ...each })))
  })

  test.each([
    ['nothing', ''],
    ['no boundary', 'x'.repeat(1000)],
    ['a part without headers', '--b\r\n\r\nx\r\n--b--'],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
    ['a part of another kind', '--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--b--'],
    ['a line that is no header', '--b\r\nContent-Disposition\r\n\r\nx\r\n--b--'],
    ['NUL in a header', '--b\r\nContent-Disposition: form-data; name="a\0"\r\n\r\nx\r\n--b--'],
    ['endless headers', `--b\r\n${'X-A: b\r\n'.repeat(2000)}`],
    ['2,001 parts', `${part('name="a"').repeat(2001)}--b--`],
  ])('with %s is refused', async (_case, body) => {
    await expect(read(body, { size: 1000 })).rejects.toEqual(broken)
  })

  test('is refused wherever it breaks off', async () => {
    const whole = `${part('name="a"; filename="b"')}${part('name="c"')}--b--`
    for (let end = 0; end < whole.length; end++) await expect(read(whole.slice(0, end))).rejects.toEqual(broken)
    expect(await read(whole)).toHaveLength(2)
  })

  test('gives back what was put in, regardless of the bytes and the cuts', async () => {
    const content = fc.array(fc.constantFrom('\r', '\n', '-', 'b', '--b'.slice(0, 2), 'x', '\0', '\xff'), { maxLength: 40 })
    const property = fc.asyncProperty(fc.array(content, { maxLength: 5 }), fc.integer({ min: 1, max: 50 }), async (contents, size) => {
      const texts = contents.map((signs) => signs.join('')).filter((text) => !`\r\n${text}\r\n`.includes('\r\n--b'))
      const body = `${texts.map((text, index) => part(`name="${index}"`, text)).join('')}--b--`
      expect((await read(Buffer.from(body, 'latin1'), { size })).map((each) => each.content)).toEqual(texts)
    })
    await fc.assert(property)
  })
})

describe('a header', () => {
  test.each<[string, string, Record<string, string>]>([
    ['multipart/form-data; boundary=x', 'multipart/form-data', { boundary: 'x' }],
    ['Multipart/Form-Data ; BOUNDARY="x y" ; a=b', 'multipart/form-data', { boundary: 'x y', a: 'b' }],
    ['a;b=c;b=d', 'a', { b: 'c' }],
    ['a; b', 'a', {}],
    ['a; b="c', 'a', {}],
    [`a; b*=UTF-8''%zz; c=d`, 'a', { 'b*': `UTF-8''%zz`, c: 'd' }],
    ['', '', {}],
  ])('%s', (text, value, parameters) => {
    const header = parseHeader(text)
    expect({ value: header.value, parameters: Object.fromEntries(header.parameters) }).toEqual({ value, parameters })
  })

  test('of any length is read in a moment', async () => {
    const many = (text: string) => text.repeat(500_000)
    const headers = [`a${many(';')}`, `a; b="${many('\\')}`, `a;${many(' ')}`, `a; ${many('b')}`]
    // A hundred times what it takes; anything quadratic takes minutes.
    await expectLessProcessorTime(5000, () => headers.map(parseHeader))
  })

  test.each(['multipart/form-data', 'multipart/form-data; boundary=', `multipart/form-data; boundary=${'b'.repeat(201)}`])(
    '%.60s names no boundary',
    (text) => expect(() => boundaryOf(parseHeader(text))).toThrow(broken),
  )
})
