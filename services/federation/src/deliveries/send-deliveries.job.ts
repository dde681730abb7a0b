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

/** Sends until nothing waits, the host fails, or others are to have their turn. Returns whether the host may be asked for more. */
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
 * Sends what waits for one host, in order, one after the other. A host that fails is asked again later and later, and what waits for it with
 * it; after two days it is given up. One job at a time has a host; when its process is killed, the next one goes on after its lease: the
 * delivery under way is then made again. A host that may not be sent to gets nothing of what waits; one that staff suspended gets what ends
 * follows.
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
      // What was written while this job looked its last found the host taken.
      if (mayGoOn && (await hasWaiting(database, { domain })).length > 0) await sendLater(deps, domain, date(0))
    },
  })
}
