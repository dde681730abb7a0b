import { type ParsedHeader, parseHeader } from './header.ts'
import { checkedText, MAX_VALUES, malformed, tooMany } from './values.ts'

/** The headers of a part. `fileName` is undefined for a part that is not a file. */
export type PartHead = {
  readonly name: string
  readonly fileName: string | undefined
  readonly contentType: string
  readonly charset: string
}

/** Receives the content of one part; `end` is called when the part is complete. */
export type PartSink = { write(chunk: Buffer): void | Promise<void>; end(): void | Promise<void> }

/** Maximum bytes of a part's headers. */
const MAX_HEAD_BYTES = 8192
/** RFC 2046 allows 70. */
const MAX_BOUNDARY = 200
const LINE = Buffer.from('\r\n')
const EMPTY_LINE = Buffer.from('\r\n\r\n')
/** The bytes after the last boundary. */
const END = Buffer.from('--')

/** The failure for a malformed multipart body. */
const notMultipart = (cause?: unknown): ReturnType<typeof malformed> => malformed('The request body is not valid multipart data', cause)

/** Reads up to a delimiter, however the bytes are chunked; buffers at most a chunk and the length of the delimiter. */
class MarkReader {
  readonly #chunks: AsyncIterator<Buffer>
  /** A body may begin with its boundary: the line end before it is taken as given. */
  #held: Buffer = LINE

  constructor(chunks: AsyncIterator<Buffer>) {
    this.#chunks = chunks
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done) throw notMultipart()
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
  }

  /** Yields the bytes before the delimiter, and consumes the delimiter. @throws Failure malformed when the body ends before it */
  async *until(mark: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const found = this.#held.indexOf(mark)
      const end = found >= 0 ? found : Math.max(0, this.#held.length - mark.length + 1)
      const chunk = this.#held.subarray(0, end)
      this.#held = this.#held.subarray(found >= 0 ? end + mark.length : end)
      if (chunk.length > 0) yield chunk
      if (found >= 0) return
      await this.#fill()
    }
  }

  /** Whether the given bytes come next, without consuming them. @throws Failure malformed when the body ends before that is known */
  async isNext(bytes: Buffer): Promise<boolean> {
    while (this.#held.length < bytes.length) await this.#fill()
    return this.#held.subarray(0, bytes.length).equals(bytes)
  }
}

const headersOf = (bytes: Buffer): Map<string, string> => {
  const headers = new Map<string, string>()
  // The rest of the boundary's line is padding.
  for (const line of bytes.toString().split('\r\n').slice(1)) {
    const colon = line.indexOf(':')
    if (colon < 1 || line.includes('\0')) throw notMultipart()
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}

const readHead = async (reader: MarkReader): Promise<PartHead> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of reader.until(EMPTY_LINE)) {
    size += chunk.length
    if (size > MAX_HEAD_BYTES) throw malformed('The headers of a part are too long')
    chunks.push(chunk)
  }
  const headers = headersOf(Buffer.concat(chunks))
  const { value, parameters } = parseHeader(headers.get('content-disposition') ?? '')
  const name = parameters.get('name')
  if (value !== 'form-data' || name === undefined) throw notMultipart()
  const type: ParsedHeader = parseHeader(headers.get('content-type') ?? 'text/plain')
  const isFile = parameters.has('filename') || type.value === 'application/octet-stream'
  return {
    name: checkedText(name),
    // Some clients send the whole path.
    fileName: isFile ? checkedText(parameters.get('filename') ?? '').replace(/^.*[/\\]/s, '') : undefined,
    contentType: checkedText(type.value),
    charset: type.parameters.get('charset') ?? 'utf-8',
  }
}

/** The boundary of a Content-Type. @throws Failure malformed */
export const boundaryOf = ({ parameters }: ParsedHeader): string => {
  const boundary = parameters.get('boundary') ?? ''
  if (boundary === '' || boundary.length > MAX_BOUNDARY) throw notMultipart()
  return boundary
}

/**
 * Parses a multipart body as a stream, one part after the other; `open` returns the sink for a part's content (RFC 7578). The preamble and
 * the epilogue are ignored.
 * @throws Failure malformed for an invalid or truncated body, and everything that a sink throws
 */
export const readParts = async (chunks: AsyncIterator<Buffer>, boundary: string, open: (head: PartHead) => PartSink): Promise<void> => {
  const reader = new MarkReader(chunks)
  const mark = Buffer.from(`\r\n--${boundary}`)
  try {
    for await (const _preamble of reader.until(mark));
    for (let parts = 0; !(await reader.isNext(END)); parts++) {
      if (parts >= MAX_VALUES) throw tooMany()
      const sink = open(await readHead(reader))
      for await (const chunk of reader.until(mark)) await sink.write(chunk)
      await sink.end()
    }
  } finally {
    await chunks.return?.()
  }
}
