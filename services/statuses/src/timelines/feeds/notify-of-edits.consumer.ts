import type { Source } from '@rookery/database'
import { consumer, type Outbox, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { notificationWithdrawn, recipientAddressed } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type Notified, readBoosters, readQuoters } from './edit-audience.store.ts'

type Deps = { outbox: Outbox; clock: Clock }
type Edit = { statusId: string; authorId: string }

/** The last edit of each status. */
const editsOf = (received: readonly Received<'statusEdited'>[]): Edit[] => [
  ...new Map(received.map(({ event: { value } }) => [value.statusId, value])).values(),
]

/** Replaces the notification of an earlier edit. */
const renotified = (person: Notified, act: { actorId: string; reason: string; statusId: string }) => {
  const notified = { recipientId: person.id, ...act }
  const relationship = {
    followsActor: person.followsAuthor,
    followedSince: person.followedSince,
    actorCreatedAt: person.authorCreatedAt,
    isActorLimited: person.isAuthorLimited,
  }
  return [notificationWithdrawn(notified), recipientAddressed(notified, relationship)]
}

/** Notifies those who boosted or quote an edited status: the notification replaces that of an earlier edit. */
export const notifyOfEdits = ({ outbox, clock }: Deps) => {
  /** The accounts to notify: in the order of the edits, boosters before quoters. */
  const readNotified = async (source: Source, edits: readonly Edit[]) => {
    const asked = { statusIds: edits.map(({ statusId }) => statusId), now: new Date(clock.now()) }
    const boosters = await readBoosters(source, asked)
    const quoters = await readQuoters(source, asked)
    return edits.map((edit) => {
      const isOfEdit = ({ statusId }: Notified) => statusId === edit.statusId
      return { edit, boosters: boosters.filter(isOfEdit), quoters: quoters.filter(isOfEdit) }
    })
  }

  return consumer<StatusesTables, 'statusEdited'>({
    name: 'statuses.announce-edits',
    topic: 'statuses.v1',
    kinds: ['statusEdited'],
    async pick(db, received) {
      const notified = await readNotified(db, editsOf(received))
      const concerned = new Set(
        notified.flatMap(({ edit, boosters, quoters }) => (boosters.length + quoters.length > 0 ? [edit.statusId] : [])),
      )
      return received.filter(({ event }) => concerned.has(event.value.statusId))
    },
    async handle(tx, received) {
      const notified = await readNotified(tx, editsOf(received))
      const events = notified.flatMap(({ edit: { statusId, authorId: actorId }, boosters, quoters }) => [
        ...boosters.flatMap((booster) => renotified(booster, { actorId, reason: 'update', statusId })),
        ...quoters.flatMap((quoter) => renotified(quoter, { actorId, reason: 'quoted_update', statusId: quoter.quoteId })),
      ])
      await outbox.append(tx, events)
    },
  })
}
