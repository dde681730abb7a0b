import { every } from '@rookery/handles'

/** Signs that a group's coordinator still hears a member. */
type Pulse = {
  /** The coordinator acknowledged something. */
  beat(): void
  /** For how long it has acknowledged nothing, in milliseconds. */
  silence(): number
  stop(): void
}

const TICK = 100

/** Calls `onSilence` when there was no beat for as many milliseconds as `limit` says, and again each time as long passes without one. */
export const startPulse = (limit: () => number, onSilence: () => void): Pulse => {
  let lastBeat = performance.now()
  let lastCall = lastBeat
  const silence = () => performance.now() - lastBeat
  const look = () => {
    if (performance.now() - Math.max(lastBeat, lastCall) < limit()) return
    lastCall = performance.now()
    onSilence()
  }
  const timer = every(TICK, look, { onError: () => {} })
  return {
    beat: () => {
      lastBeat = performance.now()
    },
    silence,
    stop: timer.stop,
  }
}
