import type { Metric } from '@rookery/runtime'

/** What came of alerts since the process started: taken by a push service, put off, refused for good, or too old by the next attempt. */
export type AlertCounts = { sent: number; later: number; gone: number; expired: number }

export const noAlerts = (): AlertCounts => ({ sent: 0, later: 0, gone: 0, expired: 0 })

/** Alerts for the metrics of the process. */
export const alertMetrics = (counts: AlertCounts): Metric[] => [
  {
    name: 'rookery_push_alerts_total',
    help: 'Attempts to send an alert, by what came of them; gone: the subscription was removed; expired: not tried any more.',
    count: () => Object.entries(counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]
