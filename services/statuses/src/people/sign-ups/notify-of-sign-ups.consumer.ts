import { PERMISSIONS, rolesWith } from '@rookery/contracts/permissions'
import { consumer, type Outbox } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { addressRecipients } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { AccountReader } from '../accounts/index.ts'

type Deps = { outbox: Outbox; clock: Clock }

/** The roles that manage users. */
const MANAGERS = rolesWith(PERMISSIONS.manageUsers)

/** Notifies accounts whose role manages users of each sign-up (spec, Notification types; beyond-the-spec 1.1). */
export const notifyOfSignUps = ({ outbox, clock }: Deps) =>
  consumer<StatusesTables, 'signedUp'>({
    name: 'statuses.sign-ups',
    topic: 'auth.v1',
    kinds: ['signedUp'],
    async handle(tx, received) {
      const reader = new AccountReader(tx)
      const actorIds = await reader.there(received.map(({ event }) => event.value.accountId))
      const recipients = actorIds.length > 0 ? await reader.holders(MANAGERS) : []
      const acts = actorIds.flatMap((actorId) =>
        recipients.map((recipientId) => ({ recipientId, actorId, reason: 'admin.sign_up', statusId: '' })),
      )
      await outbox.append(tx, await addressRecipients(tx, acts, new Date(clock.now())))
    },
  })
