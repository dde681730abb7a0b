/** A span: a unit of work within a trace. */
export type Span = {
  readonly name: string
  readonly kind: 'server' | 'client' | 'producer' | 'consumer'
  /**
   * The propagated trace (W3C Trace Context, traceparent); anything else makes the span a child of the current one, or the start of a
   * trace.
   */
  readonly parent: string
  /** Other traces that the work belongs to. */
  readonly links?: readonly string[]
}

/** Details known only at the end: a better name, and attributes from small sets. Never user content or identities. */
type Noted = { name?: string; attributes?: Record<string, string | number> }

/** Tracing of requests across processes. Without it nothing is wrapped. */
export type Tracing = {
  /** Runs work in a span; `trace` is the traceparent to propagate. */
  span<Result>(span: Span, work: (trace: string, note: (noted: Noted) => void) => Promise<Result>): Promise<Result>
  /** The current trace, or empty. */
  current(): string
  /** Sends the remaining spans, for some seconds at most. */
  close(): Promise<void>
}
