import { type Job, job } from '@rookery/jobs'
import { claimHost, type Host, holdHost, readHost } from '../hosts/index.ts'
import { LEASE, withLease } from '../lease.ts'
import type { MaySend } from '../policy/index.ts'
import { untilEmpty } from '../until-empty.ts'
import { SEND_DELIVERIES } from './deliver.ts'
import { endBlocked, endWaiting, hasWaiting, readWaiting } from './delivery.store.ts'
import { type NoteDeps, noteAnswer, sendLater } from './note-answer.ts'
import { type PostDeps, postDelivery } from './post-delivery.ts'

type Deps = PostDeps & NoteDeps & { maySend: MaySend }

/** Sends until the backlog is empty, the host fails, or the time is up. Returns whether to go on with the host. */
const sendWaiting = (deps: Deps) => {
  const [post, note] = [postDelivery(deps), noteAnswer(deps)]
  return async (host: Host, isOnlyEndsOfFollows: boolean, signal: AbortSignal): Promise<boolean> => {
    const read = () => readWaiting(deps.database, { domain: host.domain, isOnlyEndsOfFollows })
    for await (const delivery of untilEmpty(read, signal)) {
      if (!(await note(delivery, host, await post(delivery, host)))) return false
    }
    return true
  }
}

/**
 * Sends the pending deliveries of one host sequentially. A failing host is retried with backoff, and its backlog waits with it; deliveries
 * expire after two days. One job at a time holds the lease on a host; if its process is killed, the next one continues after the lease
 * expires and repeats the delivery under way. If staff suspended the host, only the ends of follows are sent; if nothing may be sent, all
 * pending deliveries end.
 */
export const sendDeliveries = (deps: Deps): Job => {
  const { database, clock, counts } = deps
  const date = (milliseconds: number) => new Date(clock.now() + milliseconds)
  const send = sendWaiting(deps)

  const runClaimed = async (host: Host, signal: AbortSignal): Promise<boolean> => {
    const { domain, nextTryAt: next } = host
    const sent = await deps.maySend(domain)
    if (sent === 'nothing') {
      counts.blocked += (await endWaiting(database, { domain, before: date(0), result: 'blocked', now: date(0) })).length
      return false
    }
    const isOnlyEndsOfFollows = sent === 'endsOfFollows'
    if (isOnlyEndsOfFollows) counts.blocked += (await endBlocked(database, { domain, now: date(0) })).length
    if (next && next.getTime() > clock.now()) {
      await sendLater(deps, domain, next)
      return false
    }
    return send(host, isOnlyEndsOfFollows, signal)
  }

  return job<{ domain: string }>({
    name: SEND_DELIVERIES,
    lane: 'deliveries',
    async run({ domain }, signal) {
      const [host] = await claimHost(database, { domain, now: date(0), until: date(LEASE) })
      if (!host) {
        const [other] = await readHost(database, { domain })
        return sendLater(deps, domain, other?.sendingUntil ?? date(LEASE))
      }
      const hold = (until: Date | null) => holdHost(database, { domain, until })
      const mayGoOn = await withLease({ clock, hold, signal }, (signal) => runClaimed(host, signal))
      // A delivery added since the last read has a job, but that one found the lease taken.
      if (mayGoOn && (await hasWaiting(database, { domain })).length > 0) await sendLater(deps, domain, date(0))
    },
  })
}
