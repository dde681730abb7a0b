import type { Metric } from '@rookery/runtime'
import { MOTION_FAILURES } from './motion-error.ts'

const OUTCOMES = ['done', 'abandoned', ...MOTION_FAILURES] as const
type Outcome = (typeof OUTCOMES)[number]

/** Metrics of video and audio processing. */
export type MotionMetrics = {
  ended(type: string, outcome: Outcome): void
  /** Records the processing time of a file and its duration, in seconds. */
  worked(seconds: number, lasting: number): void
  readonly metrics: readonly Metric[]
}

const TYPES = ['video', 'gifv', 'audio']

export const motionMetrics = (): MotionMetrics => {
  const counts = new Map(
    TYPES.flatMap((type) => OUTCOMES.map((outcome) => [`${type} ${outcome}`, { labels: { type, outcome }, value: 0 }])),
  )
  let [worked, lasting] = [0, 0]
  return {
    ended(type, outcome) {
      const count = counts.get(`${type} ${outcome}`)
      if (count) count.value++
    },
    worked(seconds, more) {
      worked += seconds
      lasting += more
    },
    metrics: [
      {
        name: 'rookery_motion_total',
        help: 'Films and recordings by what came of them.',
        count: () => [...counts.values()].filter(({ value, labels }) => value > 0 || labels.outcome === 'done'),
      },
      { name: 'rookery_motion_work_seconds', help: 'Seconds of work on films and recordings that were made ready.', count: () => worked },
      {
        name: 'rookery_motion_made_seconds',
        help: 'Seconds that the films and recordings last that were made ready.',
        count: () => lasting,
      },
    ],
  }
}
