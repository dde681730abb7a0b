import type { NotificationPolicy } from '@rookery/contracts/notifications'
import type { ViewsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Call, Client } from '@rookery/rpc'
import type { NotificationsTables } from '../database/schema.ts'
import { DEFAULT_POLICY } from './policy.rules.ts'
import { readPolicySummary } from './policy.store.ts'

type Deps = { database: Database<NotificationsTables>; statuses: { views: Client<ViewsDefinition> } }

/** The accounts among these that are hidden from the viewer, and thus left out of the list of requests. */
const hiddenOf = async ({ statuses }: Deps, call: Call, viewerId: string, accountIds: readonly string[]): Promise<string[]> => {
  if (accountIds.length === 0) return []
  const visible = await statuses.views.readVisible(call, { viewerId, accountIds: [...accountIds] })
  const seen = new Set(visible.accountIds)
  return accountIds.filter((id) => !seen.has(id))
}

/** Reads the viewer's policy, and how many visible notifications it filters (beyond-the-spec 1.1, NotificationPolicy). */
export const readPolicy =
  (deps: Deps) =>
  async (call: Call, accountId: string): Promise<NotificationPolicy> => {
    const [all] = await readPolicySummary(deps.database, { accountId, without: [] })
    const without = await hiddenOf(deps, call, accountId, all?.actorIds ?? [])
    const [row = all] = without.length > 0 ? await readPolicySummary(deps.database, { accountId, without }) : []
    const { pendingRequestsCount = 0, pendingNotificationsCount = 0, actorIds: _, ...policy } = row ?? {}
    const written = Object.fromEntries(Object.entries(policy).filter(([, choice]) => choice !== null))
    return { ...DEFAULT_POLICY, ...written, pendingRequestsCount, pendingNotificationsCount }
  }
