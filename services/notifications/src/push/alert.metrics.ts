import type { Metric } from '@rookery/runtime'

/**
 * The results of alerts since the start of the process: accepted by a push service, to be retried, refused for good, or expired before a
 * retry.
 */
export type AlertCounts = { sent: number; later: number; gone: number; expired: number }

export const noAlerts = (): AlertCounts => ({ sent: 0, later: 0, gone: 0, expired: 0 })

/** The metrics of alerts. */
export const alertMetrics = (counts: AlertCounts): Metric[] => [
  {
    name: 'rookery_push_alerts_total',
    help: 'Attempts to send an alert, by what came of them; gone: the subscription was removed; expired: not tried any more.',
    count: () => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]
