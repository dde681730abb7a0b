/** A piece of work as part of a trace. */
export type Span = {
  readonly name: string
  readonly kind: 'server' | 'client' | 'producer' | 'consumer'
  /** The trace as it was handed on (W3C Trace Context, traceparent); anything else makes the span part of what runs here, or a trace of its own. */
  readonly parent: string
  /** Other traces the work is for. */
  readonly links?: readonly string[]
}

/** What is known only when the work is over: a better name, and values from small sets. Never what people wrote, nor who they are. */
type Noted = { name?: string; attributes?: Record<string, string | number> }

/** Follows requests through the processes. Where nothing is traced there is none, and nothing is wrapped. */
export type Tracing = {
  /** Runs work as a span; `trace` is what it hands on. */
  span<Result>(span: Span, work: (trace: string, note: (noted: Noted) => void) => Promise<Result>): Promise<Result>
  /** The trace of what runs now, or empty. */
  current(): string
  /** Sends what is not sent yet, for some seconds at most. */
  close(): Promise<void>
}
