import { type Consumer, consumer } from '@rookery/events'
import type { AuthTables } from '../database/schema.ts'
import { ActWriter } from './act.store.ts'

const logging = (name: string, topic: string): Consumer<AuthTables> =>
  consumer({
    name,
    topic,
    kinds: ['staffActed'],
    isUnhurried: true,
    async handle(tx, received) {
      const acts = received.map(({ event: { value }, occurredAtMilliseconds }) => ({
        actorId: value.staffId || null,
        action: value.action,
        accountId: value.accountId || null,
        target: value.target,
        text: value.text,
        reportId: value.reportId || null,
        createdAt: new Date(occurredAtMilliseconds),
      }))
      await new ActWriter(tx).addAll(acts)
    },
  })

/** Add acts of staff in other services to the log. */
export const logActs = (): Consumer<AuthTables>[] => [
  logging('auth.staff-acts', 'statuses.v1'),
  logging('auth.federation-acts', 'federation.v1'),
]
