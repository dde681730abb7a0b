import type { Tx } from '@rookery/database'
import { addJobs } from '@rookery/jobs'
import type { NotificationsTables } from '../database/schema.ts'

/** The job that sends one alert. */
export const SEND_ALERT = 'send-alert'

/** A notification, and a subscription to push it to. */
type Alert = { notificationId: string; subscriptionId: string }

/** The payload of a job; `attempt` counts the attempts. */
export type DueAlert = Alert & { attempt: number }

/** The job key: at most one waiting job for the same alert. */
export const keyOf = ({ notificationId, subscriptionId }: Alert) => `alert/${notificationId}/${subscriptionId}`

/** Adds a job for each alert, in the transaction that creates the notifications. */
export const addDueAlerts = (tx: Tx<NotificationsTables>, alerts: readonly Alert[]): Promise<void> =>
  addJobs(
    tx,
    'notifications',
    SEND_ALERT,
    alerts.map((alert) => ({ payload: { ...alert, attempt: 0 } satisfies DueAlert, key: keyOf(alert) })),
  )
