/**
 * Why an address gave nothing. `refused`: it may not be asked. `unreachable`: no whole answer came. `slow`: not in time. `redirects`: too
 * many. `type`: not what was asked for. `large`: more than may come.
 */
type FetchFault = 'refused' | 'unreachable' | 'slow' | 'redirects' | 'type' | 'large'

/** An address gave nothing that can be used. */
export class FetchError extends Error {
  readonly fault: FetchFault

  constructor(fault: FetchFault, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'FetchError'
    this.fault = fault
  }

  /** Whether asking again later may do better. */
  get mayPass(): boolean {
    return this.fault === 'unreachable' || this.fault === 'slow'
  }
}
