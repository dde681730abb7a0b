import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashtagsIn, mentionsIn, tokenize } from './index.ts'

/** The tokens found, as typed. */
const found = (text: string) =>
  tokenize(text)
    .filter((token) => token.kind !== 'text')
    .map((token) => `${token.kind} ${text.slice(token.start, token.end)}`)

const URLS: [text: string, urls: string[]][] = [
  ['https://example.com', ['https://example.com']],
  ['http://example.com/a/b?c=d&e=#f', ['http://example.com/a/b?c=d&e=#f']],
  ['HTTPS://Example.COM/', ['HTTPS://Example.COM/']],
  ['example.com is not linked, nor ftp://example.com', []],
  ['xhttp://example.com', []],
  ['see https://example.com.', ['https://example.com']],
  ['see https://example.com/a.', ['https://example.com/a']],
  ['https://example.com/a?!', ['https://example.com/a']],
  ['(https://example.com/a)', ['https://example.com/a']],
  ['(https://en.wikipedia.org/wiki/Tea_(meal))', ['https://en.wikipedia.org/wiki/Tea_(meal)']],
  ['[https://example.com/]', ['https://example.com/']],
  ['"https://example.com/a"b', ['https://example.com/a']],
  ['<https://example.com/a>', ['https://example.com/a']],
  ['「https://example.com/」です', ['https://example.com/']],
  ['見てhttps://example.comです', ['https://example.com']],
  ['https://example.com。次', ['https://example.com']],
  ['https://пример.рф/страница', ['https://пример.рф/страница']],
  ['https://例え.テスト/', ['https://例え.テスト/']],
  ['https://xn--r8jz45g.example/', ['https://xn--r8jz45g.example/']],
  ['https://example.com:8080/a', ['https://example.com:8080/a']],
  ['http://localhost:3000/@mara', ['http://localhost:3000/@mara']],
  ['http://127.0.0.1/', ['http://127.0.0.1/']],
  ['http://word', []],
  ['http://', []],
  ['http://.', []],
  ['http://a..b/', []],
  ['https://example.com@evil.example/', []],
  ['https://example.com/@mara@else.example#tag', ['https://example.com/@mara@else.example#tag']],
  ['https://example.com\nhttps://example.org', ['https://example.com', 'https://example.org']],
  ['https://example.com/a\u202eb', ['https://example.com/a']],
  ['https://example.com/a\u0000b', ['https://example.com/a']],
  [`https://example.com/${'a'.repeat(4076)}`, [`https://example.com/${'a'.repeat(4076)}`]],
  [`https://example.com/${'a'.repeat(4077)}`, []],
  [`https://${'a.'.repeat(130)}com/`, []],
]

const MENTIONS: [text: string, mentions: string[]][] = [
  ['@mara', ['@mara']],
  ['hello @mara, @joel!', ['@mara', '@joel']],
  ['@Mara_1', ['@Mara_1']],
  ['@mara.', ['@mara']],
  ['@mara.k-l', ['@mara.k-l']],
  ['@mara..k', ['@mara']],
  ['@_', ['@_']],
  ['@mara@else.example', ['@mara@else.example']],
  ['@mara@else.example.', ['@mara@else.example']],
  ['@mara@bücher.example', ['@mara@bücher.example']],
  ['@mara@localhost:3000', ['@mara@localhost:3000']],
  ['@mara@', ['@mara']],
  ['mara@else.example', []],
  ['é@mara', []],
  ['日@mara', []],
  ['_@mara', []],
  ['=@mara /@mara', []],
  ['(@mara)', ['@mara']],
  ['😀@mara', ['@mara']],
  ['@@mara', ['@mara']],
  ['@a@a@a', ['@a@a']],
  ['@', []],
  ['@é', []],
  [`@mara@${'a'.repeat(260)}`, []],
]

const HASHTAGS: [text: string, hashtags: string[]][] = [
  ['#tea', ['#tea']],
  ['＃tea', ['＃tea']],
  ['#2024', []],
  ['#a1 #1a', ['#a1', '#1a']],
  ['#1_2 #1·2', ['#1_2', '#1·2']],
  ['#___', []],
  ['#tea_', ['#tea_']],
  ['#tea·', ['#tea']],
  ['#tea·time', ['#tea·time']],
  ['#テスト・ケース', ['#テスト・ケース']],
  ['#テスト・', ['#テスト']],
  ['#می\u200cخواهم', ['#می\u200cخواهم']],
  ['#日本語', ['#日本語']],
  ['#हिन्दी', ['#हिन्दी']],
  ['#ไทย', ['#ไทย']],
  ['#עברית', ['#עברית']],
  ['#𝒜bc', ['#𝒜bc']],
  ['#tea-time', ['#tea']],
  ['#tea!', ['#tea']],
  ['(#tea)', ['#tea']],
  ['「#tea」', ['#tea']],
  ['a#tea 1#tea =#tea /#tea )#tea', []],
  ['#tea#time', ['#tea']],
  ['##tea', ['#tea']],
  ['#️⃣', []],
  ['#😀', []],
  ['#', []],
  [`#${'a'.repeat(255)}`, [`#${'a'.repeat(255)}`]],
  [`#${'a'.repeat(256)}`, []],
]

describe('tokenize', () => {
  it.each(URLS)('finds the URLs of %j', (text, urls) => expect(found(text)).toEqual(urls.map((url) => `url ${url}`)))
  it.each(MENTIONS)('finds the mentions of %j', (text, mentions) => expect(found(text)).toEqual(mentions.map((each) => `mention ${each}`)))
  it.each(HASHTAGS)('finds the hashtags of %j', (text, hashtags) => expect(found(text)).toEqual(hashtags.map((each) => `hashtag ${each}`)))

  it('gives what begins earlier to the earlier token', () => {
    expect(found('#a@b @c#d https://e.example/#f@g @h')).toEqual(['hashtag #a', 'mention @c', 'url https://e.example/#f@g', 'mention @h'])
  })

  it('leaves no gap', () => {
    const pieces = fc.constantFrom('@', '#', 'http://', 'https://a.b/', 'a', '1', '.', '(', ')', ' ', '\n', 'é', '😀', '\ud800', '·')
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))), (parts) => {
        const text = parts.join('')
        const tokens = tokenize(text)
        expect(tokens.map((token) => text.slice(token.start, token.end)).join('')).toBe(text)
        for (const [index, token] of tokens.entries()) expect(token.start).toBe(tokens[index - 1]?.end ?? 0)
      }),
    )
  })
})

describe('mentionsIn', () => {
  it('names each once, in lower case', () => {
    expect(mentionsIn('@Mara @joel @mara @mara@Else.example @MARA@else.example')).toEqual([
      { username: 'mara' },
      { username: 'joel' },
      { username: 'mara', domain: 'else.example' },
    ])
  })
})

describe('hashtagsIn', () => {
  it('names each once, with the spelling that came first', () => {
    expect(hashtagsIn('#Tea #Café #TEA #cafe ＃ｔｅａ')).toEqual([
      { name: 'tea', display: 'Tea' },
      { name: 'cafe', display: 'Café' },
    ])
  })
})
