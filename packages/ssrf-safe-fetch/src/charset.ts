/** A page must declare its charset within this many bytes (HTML standard, 13.2.3.2). */
const LOOKED_AT = 1024

const BYTE_ORDER_MARKS: [charset: string, mark: Buffer][] = [
  ['utf-8', Buffer.of(0xef, 0xbb, 0xbf)],
  ['utf-16be', Buffer.of(0xfe, 0xff)],
  ['utf-16le', Buffer.of(0xff, 0xfe)],
]

const NAMED = /charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i
const META = /<meta\b[^>]{0,500}?charset\s*=\s*(?:["']\s*)?([\w.:-]{1,40})/i

const decoderOf = (charset: string | undefined): TextDecoder | undefined => {
  try {
    return charset ? new TextDecoder(charset) : undefined
  } catch {
    return undefined
  }
}

/**
 * Decodes bytes by the first of these that names a known charset: the byte order mark, the content type, a meta element; else as UTF-8.
 * Malformed bytes become U+FFFD.
 */
export const decodeText = (bytes: Buffer, contentType: string): string => {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => bytes.subarray(0, mark.length).equals(mark))?.[0]
  const head = bytes.toString('latin1', 0, LOOKED_AT)
  const decoder = decoderOf(marked) ?? decoderOf(NAMED.exec(contentType)?.[1]) ?? decoderOf(META.exec(head)?.[1]) ?? new TextDecoder()
  return decoder.decode(bytes)
}
