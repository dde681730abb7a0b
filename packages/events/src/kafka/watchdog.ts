import { every } from '@rookery/handles'

/** The acknowledgements of a group's coordinator. */
type Watchdog = {
  /** The coordinator acknowledged something. */
  beat(): void
  /** The time since the last acknowledgement, in milliseconds. */
  silence(): number
  stop(): void
}

const TICK = 100

/** Calls `onSilence` when there was no beat for `limit()` milliseconds, and again after each further such time without one. */
export const startWatchdog = (limit: () => number, onSilence: () => void): Watchdog => {
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
