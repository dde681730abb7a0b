/** Observes the errors and the answers of Postgres. */
export type Refusals = {
  refused(error: { code?: string | undefined; message: string }): void
  /** Gets a command tag: `INSERT 0 1`. */
  answered(tag: string): void
}

/** SQLSTATEs for a full or broken disk, and for a read-only server. */
const WRITES_REFUSED = /^(53100|25006|58030)$/
const HAS_WRITTEN = /^(INSERT 0|UPDATE|DELETE|MERGE) [1-9]/
/** How long a refusal counts, in milliseconds. */
const KNOWN = 60_000

/** Records why Postgres refuses writes, until it writes again or a minute has passed since the last refusal. */
export const refusedWrites = (now: () => number = () => performance.now()): Refusals & { reason(): string | undefined } => {
  let last: { reason: string; at: number } | undefined
  return {
    refused({ code = '', message }) {
      if (WRITES_REFUSED.test(code)) last = { reason: message, at: now() }
    },
    answered(tag) {
      if (last && HAS_WRITTEN.test(tag)) last = undefined
    },
    reason: () => (last && now() - last.at < KNOWN ? last.reason : undefined),
  }
}
