/** An event in the form each transport sends it; made once, when first needed, and shared by everyone who gets it. */
export type Prepared = {
  /** A WebSocket's text frame for the stream of that label (beyond-the-spec 1.7). */
  frame(label: string): Buffer
  /** The lines of an event stream (spec, Streaming transport). */
  lines(): Buffer
  readonly hasPayload: boolean
}

/** Prepares an event whose payload is JSON on one line, or a bare id, or nothing: then frames have none, and lines the word undefined. */
export const prepare = (event: string, payload?: Buffer | string): Prepared => {
  const frames = new Map<string, Buffer>()
  let ending: string | undefined
  let lines: Buffer | undefined
  return {
    hasPayload: payload !== undefined,
    frame(label) {
      const known = frames.get(label)
      if (known) return known
      ending ??= `,${JSON.stringify({ event, payload: payload?.toString() }).slice(1)}`
      const frame = Buffer.from(`{"stream":${label}${ending}`)
      frames.set(label, frame)
      return frame
    },
    lines() {
      lines ??= Buffer.from(`event: ${event}\ndata: ${String(payload)}\n\n`)
      return lines
    },
  }
}
