/** An event, encoded for each transport; encoded on first use, and shared by all who receive it. */
export type Prepared = {
  /**
   * A WebSocket text frame for the stream of a label (beyond-the-spec 1.7), with the event's id as an additional field: the bytes on the
   * wire.
   */
  frame(label: string): Buffer
  /** The lines for an event stream (spec, Streaming transport), the event's id first if wanted (HTML, Server-sent events). */
  lines(withId: boolean): Buffer
  readonly hasPayload: boolean
}

/** An event: its name, its payload, which is JSON on one line, a bare id or absent, and its id. */
type StreamEvent = { readonly event: string; readonly payload?: Buffer | string; readonly id: string }

const WHOLE_TEXT = 0x81
const LENGTH_IN_TWO_BYTES = 126
const LENGTH_IN_EIGHT_BYTES = 127

/** A server's message as a single, unmasked text frame (RFC 6455, 5.2). */
export const textFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text)
  const head = length < LENGTH_IN_TWO_BYTES ? 2 : length < 2 ** 16 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = WHOLE_TEXT
  frame[1] = head === 2 ? length : head === 4 ? LENGTH_IN_TWO_BYTES : LENGTH_IN_EIGHT_BYTES
  if (head === 4) frame.writeUInt16BE(length, 2)
  if (head === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, head)
  return frame
}

/** Prepares an event. Without a payload, frames have none, and lines have the word undefined. */
export const prepare = ({ event, payload, id }: StreamEvent): Prepared => {
  const frames = new Map<string, Buffer>()
  let ending: string | undefined
  const idLine = `id: ${id}\n`
  let lines: Buffer | undefined
  return {
    hasPayload: payload !== undefined,
    frame(label) {
      const known = frames.get(label)
      if (known) return known
      ending ??= `,${JSON.stringify({ event, payload: payload?.toString(), id }).slice(1)}`
      const frame = textFrame(`{"stream":${label}${ending}`)
      frames.set(label, frame)
      return frame
    },
    lines(withId) {
      lines ??= Buffer.from(`${idLine}event: ${event}\ndata: ${String(payload)}\n\n`)
      return withId ? lines : lines.subarray(Buffer.byteLength(idLine))
    },
  }
}
