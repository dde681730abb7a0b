import { every } from '@rookery/handles'
import type { Clock } from '@rookery/runtime'

/** How long a job holds a host or an actor, in milliseconds: after that the work of a killed process is free again. */
export const LEASE = 15_000
const RENEW_EVERY = 5_000

type Lease = {
  clock: Clock
  /** Notes until when it is held; null gives it back. */
  hold: (until: Date | null) => Promise<unknown>
  /** Asks the work to end, as when the process stops. */
  signal: AbortSignal | undefined
}

/**
 * Runs work on what was taken a moment ago for the time of a lease, renews that while the work goes on, and gives it back. The signal that
 * the work gets also aborts when the lease could not be renewed in time: another job may have what it holds then.
 */
export const withLease = async <Result>(
  { clock, hold, signal }: Lease,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const lost = new AbortController()
  let end = performance.now() + LEASE
  let renewing: Promise<void> | undefined
  const renew = async () => {
    const asked = performance.now()
    await hold(new Date(clock.now() + LEASE))
    end = asked + LEASE
  }
  const look = () => {
    if (performance.now() >= end) return lost.abort()
    renewing ??= renew()
      .catch(() => {})
      .finally(() => {
        renewing = undefined
      })
  }
  const timer = every(RENEW_EVERY, look, { onError: () => {} })
  try {
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal)
  } finally {
    timer.stop()
    if (!lost.signal.aborted) {
      await renewing
      await hold(null)
    }
  }
}
