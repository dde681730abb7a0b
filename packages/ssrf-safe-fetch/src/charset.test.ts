import { describe, expect, it } from 'vitest'
import { decodeText } from './charset.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const utf8 = (text: string) => Buffer.from(text)

const TEXTS: [what: string, bytes: Buffer, contentType: string, text: string][] = [
  ['UTF-8 when nothing is said', utf8('tée'), 'text/html', 'tée'],
  ['what the header says', latin('tée'), 'text/html; charset=ISO-8859-1', 'tée'],
  ['what the header says in quotes', latin('tée'), 'text/html; charset="windows-1252"', 'tée'],
  ['what a meta element says', latin('<meta charset=latin1>tée'), 'text/html', '<meta charset=latin1>tée'],
  [
    'what an older meta element says',
    latin('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">é'),
    'text/html',
    '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">é',
  ],
  ['the header before the meta element', utf8('<meta charset=latin1>é'), 'text/html; charset=utf-8', '<meta charset=latin1>é'],
  ['a byte order mark before both', Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from('té', 'utf16le')]), 'text/html; charset=utf-8', 'té'],
  ['Japanese', Buffer.of(0x93, 0xfa, 0x96, 0x7b), 'text/html; charset=Shift_JIS', '日本'],
  ['a charset that there is not', utf8('tée'), 'text/html; charset=klingon', 'tée'],
  ['bytes that are no UTF-8', Buffer.of(0x74, 0xff, 0xfe, 0x65), 'text/html; charset=utf-8', 't\ufffd\ufffde'],
]

describe('decodeText', () => {
  it.each(TEXTS)('reads %s', (_, bytes, contentType, text) => expect(decodeText(bytes, contentType)).toBe(text))
})
