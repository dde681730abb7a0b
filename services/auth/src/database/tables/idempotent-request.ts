/** A request with an Idempotency-Key. */
export type IdempotentRequestTable = {
  /** Digest of who asks, the route and the key. */
  request: Buffer
  /** Digest of its parameters and files. */
  content: Buffer
  /** The reservation: the same for each attempt within the hour. */
  id: string
  /** The attempt that runs it, or did last. */
  attempt: string
  createdAt: Date
  /** Until then no other attempt runs it. */
  reservedUntil: Date
  /** Encrypted by the gateway; null until an attempt has ended with an answer that is kept. */
  answer: Buffer | null
}
