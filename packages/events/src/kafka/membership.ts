import type { Consumer } from 'kafkajs'
import { startPulse } from './pulse.ts'

/**
 * Who waits for the answer of the coordinator is not cut before. Each cut would leave a member in the group that never comes back, and the next
 * answer would wait for that one.
 */
const SESSIONS_TO_JOIN = 2.5

const BEATS_OF_A_MEMBER = 2

/** Whether the coordinator counts this process as a member of a group. */
type Membership = {
  /** Follows a consumer of the group; `onCrash` is called when it has given up. */
  follow(consumer: Consumer, onCrash: (error: Error) => void): void
  fault(): string | undefined
  /** For how long the coordinator has acknowledged nothing, in milliseconds. */
  silence(): number
  stop(): void
}

/** `onSilence` is called when the coordinator has acknowledged nothing for as long as it keeps a silent member. */
export const createMembership = (given: { group: string; sessionMilliseconds: number; onSilence: () => void }): Membership => {
  const { group, sessionMilliseconds } = given
  let isJoined = false
  let beatsSinceLoss = 0
  const lose = () => {
    isJoined = false
    beatsSinceLoss = 0
  }
  const pulse = startPulse(() => (isJoined ? sessionMilliseconds : SESSIONS_TO_JOIN * sessionMilliseconds), given.onSilence)
  return {
    follow(consumer, onCrash) {
      consumer.on('consumer.group_join', () => {
        isJoined = true
        pulse.beat()
      })
      consumer.on('consumer.heartbeat', () => {
        pulse.beat()
        // A coordinator that loads its groups refuses to have this one joined again, and knows it as it was once it has loaded: kafkajs then goes
        // on without joining. The first heartbeat may have been under way at the loss.
        if (++beatsSinceLoss >= BEATS_OF_A_MEMBER) isJoined = true
      })
      consumer.on('consumer.rebalancing', lose)
      consumer.on('consumer.network.request', ({ payload }) => {
        if (payload.apiName !== 'JoinGroup') return
        // kafkajs does not say that it joins again when the coordinator no longer knows this member. The first answer gives it an id.
        lose()
        pulse.beat()
      })
      consumer.on('consumer.crash', ({ payload }) => {
        lose()
        if (!payload.restart) onCrash(payload.error)
      })
    },
    fault() {
      if (!isJoined) return `the group ${group} is not joined`
      const silence = pulse.silence()
      if (silence < sessionMilliseconds) return undefined
      return `no heartbeat of the group ${group} was acknowledged for ${Math.round(silence / 1000)} seconds`
    },
    silence: pulse.silence,
    stop: pulse.stop,
  }
}
