import type { NotificationPolicy } from '@rookery/contracts/notifications'
import type { Database } from '@rookery/database'
import type { NotificationsTables } from '../database/schema.ts'
import { DEFAULT_POLICY } from './policy.rules.ts'
import { readPolicySummary } from './policy.store.ts'

/** Reads the viewer's policy, and how much it holds back, in one statement (beyond-the-spec 1.1, NotificationPolicy). */
export const readPolicy =
  ({ database }: { database: Database<NotificationsTables> }) =>
  async (accountId: string): Promise<NotificationPolicy> => {
    const [row] = await readPolicySummary(database, { accountId })
    const { pendingRequestsCount = 0, pendingNotificationsCount = 0, ...policy } = row ?? {}
    const written = Object.fromEntries(Object.entries(policy).filter(([, choice]) => choice !== null))
    return { ...DEFAULT_POLICY, ...written, pendingRequestsCount, pendingNotificationsCount }
  }
