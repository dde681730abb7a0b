import type { Consumer } from 'kafkajs'
import { startWatchdog } from './watchdog.ts'

/**
 * A connection that waits for the answer to a join is not cut earlier, in session timeouts. Each cut would leave a member in the group that
 * never returns, and the next join would wait for that one.
 */
const SESSIONS_TO_JOIN = 2.5

const BEATS_OF_A_MEMBER = 2

/** Whether the coordinator regards this process as a member of a group. */
type Membership = {
  /** Follows the events of a consumer; `onCrash` is called when it has given up. */
  follow(consumer: Consumer, onCrash: (error: Error) => void): void
  fault(): string | undefined
  /** The time since the coordinator's last acknowledgement, in milliseconds. */
  silence(): number
  stop(): void
}

/** `onSilence` is called when the coordinator has acknowledged nothing for a session timeout. */
export const createMembership = (given: { group: string; sessionMilliseconds: number; onSilence: () => void }): Membership => {
  const { group, sessionMilliseconds } = given
  let isJoined = false
  let beatsSinceLoss = 0
  const lose = () => {
    isJoined = false
    beatsSinceLoss = 0
  }
  const watchdog = startWatchdog(() => (isJoined ? sessionMilliseconds : SESSIONS_TO_JOIN * sessionMilliseconds), given.onSilence)
  return {
    follow(consumer, onCrash) {
      consumer.on('consumer.group_join', () => {
        isJoined = true
        watchdog.beat()
      })
      consumer.on('consumer.heartbeat', () => {
        watchdog.beat()
        // A coordinator that is loading its groups refuses a rejoin, but knows the member once it has loaded: kafkajs then continues
        // without rejoining. The first heartbeat may have been sent before the loss.
        if (++beatsSinceLoss >= BEATS_OF_A_MEMBER) isJoined = true
      })
      consumer.on('consumer.rebalancing', lose)
      consumer.on('consumer.network.request', ({ payload }) => {
        if (payload.apiName !== 'JoinGroup') return
        // kafkajs emits no event when it rejoins because the coordinator no longer knows this member. The first answer only assigns an id.
        lose()
        watchdog.beat()
      })
      consumer.on('consumer.crash', ({ payload }) => {
        lose()
        if (!payload.restart) onCrash(payload.error)
      })
    },
    fault() {
      if (!isJoined) return `the group ${group} is not joined`
      const silence = watchdog.silence()
      if (silence < sessionMilliseconds) return undefined
      return `no heartbeat of the group ${group} was acknowledged for ${Math.round(silence / 1000)} seconds`
    },
    silence: watchdog.silence,
    stop: watchdog.stop,
  }
}
