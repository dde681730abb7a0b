import { type AccountsDefinition, type GraphDefinition, StatusPage, type ViewsDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { Failure } from '@rookery/failures'
import { addJob, type Job, job } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { Clock } from '@rookery/runtime'
import { FetchError } from '@rookery/ssrf-safe-fetch'
import type { NotificationsTables } from '../database/schema.ts'
import { alertBody } from './alert.body.ts'
import type { AlertCounts } from './alert.metrics.ts'
import { LIFETIME, nextAttempt, type Outcome, outcomeOf } from './delivery.rules.ts'
import { type DueAlert, keyOf, SEND_ALERT } from './due-alerts.ts'
import type { PushAnswer, pushService } from './push-service.ts'
import type { ServerKeys } from './server-keys.ts'
import { allows } from './subscription.rules.ts'
import { type Delivery, readDelivery, removeSubscriptions } from './subscription.store.ts'

type Deps = {
  database: Database<NotificationsTables>
  clock: Clock
  keys: () => Promise<ServerKeys>
  send: ReturnType<typeof pushService>
  statuses: { views: Client<ViewsDefinition>; graph: Client<GraphDefinition>; accounts: Client<AccountsDefinition> }
  counts: AlertCounts
  missingAvatar: string
}

const CALL_SECONDS = 15

const orUndefined = (error: unknown): undefined => {
  if (error instanceof Failure && error.kind === 'not_found') return undefined
  throw error
}

/** Reads a delivery's records from statuses concurrently; undefined if its recipient or sender is gone, or the policy forbids it. */
const gather = async ({ statuses }: Deps, delivery: Delivery) => {
  const { recipientId: viewerId, actorId, statusId, policy } = delivery
  const call = callWithin(CALL_SECONDS, `alert-${delivery.id}`)
  const [senders, page, relations, credentials] = await Promise.all([
    statuses.views.readAccounts(call, { ids: [actorId], withNewcomers: true }),
    statusId ? statuses.views.readStatuses(call, { ids: [statusId], viewerId }) : StatusPage.fromPartial({}),
    policy === 'all' ? undefined : statuses.graph.readRelationships(call, { viewerId, accountIds: [actorId] }),
    statuses.accounts.readCredentials(call, { accountId: viewerId }).catch(orUndefined),
  ])
  const [sender] = senders.accounts
  const [relation] = relations?.relationships ?? []
  if (!sender || !credentials || (relations && !(relation && allows(policy, relation)))) return undefined
  return { sender, statuses: page, locale: credentials.locale ?? 'en' }
}

/** The answer of a push service, or undefined without one. */
const answerOf = (sending: Promise<PushAnswer>): Promise<PushAnswer | undefined> =>
  sending.catch((error: unknown) => {
    if (error instanceof FetchError) return undefined
    throw error
  })

/**
 * Sends one alert to one subscription (beyond-the-spec 1.8), unless it has expired, its subject is no longer visible to the recipient, or
 * the policy or a filter suppresses it. If the push service is unavailable, the alert is retried with backoff; an unknown subscription is
 * deleted. A process killed after sending sends again, under the same topic, which replaces a pending alert.
 */
export const sendAlert = (deps: Deps): Job => {
  const { database, clock, counts } = deps

  const handOver = async (delivery: Delivery) => {
    const { current: _, of, encryption } = await deps.keys()
    const [keys, accessToken] = [of(delivery.serverKey), encryption.decrypt(delivery.accessToken)]
    // The operator removed the key: the client subscribes again when it next compares the server's key.
    if (!keys || accessToken === undefined) return { outcome: 'gone' as const, retryAfter: undefined }
    const seen = await gather(deps, delivery)
    const body = seen && alertBody({ ...seen, notification: delivery, accessToken, missingAvatar: deps.missingAvatar })
    if (!body) return undefined
    const answer = await answerOf(deps.send(delivery, { body, topic: `notification-${delivery.id}`, keys }))
    const outcome: Outcome = answer ? outcomeOf(answer.status) : 'later'
    return { outcome, retryAfter: answer?.retryAfter }
  }

  const tryAgain = async (due: DueAlert, createdAt: number, retryAfter: string | undefined) => {
    const { attempt } = due
    const at = nextAttempt({ createdAt, now: clock.now(), attempt, retryAfter, random: Math.random() })
    if (at === undefined) return void counts.expired++
    const next = { runAt: new Date(at), key: keyOf(due) }
    await transact(database.db, (tx) => addJob(tx, 'notifications', SEND_ALERT, { ...due, attempt: attempt + 1 }, next))
  }

  return job<DueAlert>({
    name: SEND_ALERT,
    async run(due) {
      const delivery = await readDelivery(database.db, due)
      if (!delivery || delivery.createdAt.getTime() + LIFETIME < clock.now()) return
      const handed = await handOver(delivery)
      if (!handed) return
      counts[handed.outcome]++
      if (handed.outcome === 'gone') await removeSubscriptions(database.db, 'id', [due.subscriptionId])
      if (handed.outcome === 'later') await tryAgain(due, delivery.createdAt.getTime(), handed.retryAfter)
    },
  })
}
