import { every } from '@rookery/handles'
import type { Clock } from '@rookery/runtime'

/** How long a lease on a host or an actor lasts, in milliseconds: after a killed process, another may take over the work by then. */
export const LEASE = 15_000
const RENEW_EVERY = 5_000

type Lease = {
  clock: Clock
  /** Stores when the lease expires; null releases it. */
  hold: (until: Date | null) => Promise<unknown>
  /** Aborts the work, as when the process stops. */
  signal: AbortSignal | undefined
}

/**
 * Runs work under a lease that was just taken, renews the lease while the work goes on, and releases it. The signal passed to the work also
 * aborts when the lease could not be renewed in time: another job may hold it by then.
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
