/** A request with an Idempotency-Key. */
export type IdempotentRequestTable = {
  /** Digest of the caller, the route and the key. */
  request: Buffer
  /** Digest of the parameters and files. */
  content: Buffer
  /** The id of the reservation, equal for all attempts within the hour. */
  id: string
  /** The current or last attempt. */
  attempt: string
  createdAt: Date
  /** The end of the current attempt's lease. */
  reservedUntil: Date
  /** The response, encrypted by the gateway; null until an attempt has one that is kept. */
  answer: Buffer | null
}
