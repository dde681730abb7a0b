/** An event in the form each transport sends it; made once, when first needed, and shared by everyone who gets it. */
export type Prepared = {
  /** A WebSocket's text frame for the stream of that label (beyond-the-spec 1.7), with the event's id as a further field. */
  frame(label: string): Buffer
  /** The lines of an event stream (spec, Streaming transport), the event's id first (HTML, Server-sent events). */
  lines(): Buffer
  readonly hasPayload: boolean
}

/** An event: its name, its payload, which is JSON on one line, or a bare id, or missing, and its id. */
type StreamEvent = { readonly event: string; readonly payload?: Buffer | string; readonly id: string }

/** Prepares an event. Without a payload frames have none, and lines the word undefined. */
export const prepare = ({ event, payload, id }: StreamEvent): Prepared => {
  const frames = new Map<string, Buffer>()
  let ending: string | undefined
  let lines: Buffer | undefined
  return {
    hasPayload: payload !== undefined,
    frame(label) {
      const known = frames.get(label)
      if (known) return known
      ending ??= `,${JSON.stringify({ event, payload: payload?.toString(), id }).slice(1)}`
      const frame = Buffer.from(`{"stream":${label}${ending}`)
      frames.set(label, frame)
      return frame
    },
    lines() {
      lines ??= Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${String(payload)}\n\n`)
      return lines
    },
  }
}
