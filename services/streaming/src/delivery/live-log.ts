import type { LiveChannel, LiveGap, Position } from '@rookery/ephemeral'
import type { Logger } from '@rookery/runtime'
import type { Dispatch } from './dispatch.ts'

type Deps = { live: LiveChannel; log: Logger; dispatch: Dispatch; interrupt(from: Position | undefined): void }

/** Starts reading the live log; returns a function for its fault, and one that stops it. */
export const readLiveLog = ({ live, log, dispatch: { take, restart }, interrupt }: Deps) => {
  let isListening = false
  const onGap = ({ from, isKept }: LiveGap) => {
    if (from) restart(from)
    if (!isKept) interrupt(from)
  }
  const subscription = live.subscribe({ read: take, onGap }).then(
    (end) => {
      isListening = true
      return end
    },
    (error: unknown) => {
      log.error({ err: error }, 'subscribing to the live channel failed')
      return () => {}
    },
  )
  return {
    fault: () => live.fault() ?? (isListening ? undefined : 'not subscribed'),
    end: () => void subscription.then((end) => end()),
  }
}
