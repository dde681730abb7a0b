import type { Tx } from '@rookery/database'
import { addJobs } from '@rookery/jobs'
import type { NotificationsTables } from '../database/schema.ts'

/** The job that sends one alert. */
export const SEND_ALERT = 'send-alert'

/** A notification, and a subscription that is alerted of it. */
type Alert = { notificationId: string; subscriptionId: string }

/** What a job sends, for the nth time. */
export type DueAlert = Alert & { attempt: number }

/** At most one waiting job sends the same. */
export const keyOf = ({ notificationId, subscriptionId }: Alert) => `alert/${notificationId}/${subscriptionId}`

/** Makes alerts due: one job each, in the transaction that makes their notifications. */
export const addDueAlerts = (tx: Tx<NotificationsTables>, alerts: readonly Alert[]): Promise<void> =>
  addJobs(
    tx,
    'notifications',
    SEND_ALERT,
    alerts.map((alert) => ({ payload: { ...alert, attempt: 0 } satisfies DueAlert, key: keyOf(alert) })),
  )
