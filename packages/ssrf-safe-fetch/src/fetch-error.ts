/**
 * The reasons of a failed fetch. `refused`: the address is not allowed. `unreachable`: no complete answer. `slow`: timeout. `redirects`:
 * too many. `type`: not an accepted content type. `large`: over the size limit.
 */
type FetchFault = 'refused' | 'unreachable' | 'slow' | 'redirects' | 'type' | 'large'

/** The error of a failed fetch. */
export class FetchError extends Error {
  readonly fault: FetchFault

  constructor(fault: FetchFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'FetchError'
    this.fault = fault
  }

  /** Whether a retry may succeed. */
  get mayPass(): boolean {
    return this.fault === 'unreachable' || this.fault === 'slow'
  }
}
