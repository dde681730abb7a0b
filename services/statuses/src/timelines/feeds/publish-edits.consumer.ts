import type { Database, Tx } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, type Outbox, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { notificationWithdrawn, recipientAddressed } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type Booster, readBoosters, readEditHolders, readEditLists, readMentioned, readQuoters } from './edit-audience.store.ts'
import { readListings } from './listing.store.ts'
import { liveMessage } from './live.events.ts'
import { readPulledRecipients } from './pulled.store.ts'

type Deps = { database: Database<StatusesTables>; publishLive: PublishLive; outbox: Outbox; clock: Clock }
type Edit = { statusId: string; authorId: string }
type Edited = Received<'statusEdited' | 'statusQuotingChanged'>

/** Of several edits of one status the last: what is read is the latest content. */
const latestEdits = <Kind extends Edited>(received: readonly Kind[]): Kind[] => [
  ...new Map(received.map((edited) => [edited.event.value.statusId, edited])).values(),
]

/** The message for those who are connected; none when the status is gone. */
const liveEdit = async ({ database: { db }, clock }: Deps, { id, event }: Edited, connected: readonly string[]): Promise<Uint8Array[]> => {
  const { statusId, authorId } = event.value
  const listing = (await readListings(db, [statusId])).get(statusId)
  if (!listing) return []
  const now = new Date(clock.now())
  const holders = connected.length > 0 ? await readEditHolders(db, statusId, connected) : []
  const listIds = connected.length > 0 ? await readEditLists(db, statusId, { ownerIds: connected, now }) : []
  const present = new Set(connected)
  const pulling = connected.length > 0 ? await readPulledRecipients(db, [statusId], { accountIds: connected, now }) : []
  const mentioned = (await readMentioned(db, statusId)).filter((accountId) => present.has(accountId))
  const recipientIds = [...new Set([...holders, ...pulling.map(({ accountId }) => accountId), ...mentioned])]
  return [liveMessage(id, { $case: 'status', value: { ...listing, authorId, recipientIds, isEdit: true, listIds } })]
}

/** Notifies a person of an edit in place of an earlier one. */
const renotified = (person: Booster, act: { actorId: string; reason: string; statusId: string }) => {
  const notified = { recipientId: person.id, ...act }
  const relationship = {
    followsActor: person.followsAuthor,
    followedSince: person.followedSince,
    actorCreatedAt: person.authorCreatedAt,
    isActorLimited: person.isAuthorLimited,
  }
  return [notificationWithdrawn(notified), recipientAddressed(notified, relationship)]
}

/**
 * Publishes an edit to those who are connected and have the status, itself or by a boost, and notifies those who boosted or quote it: the
 * notification replaces that of an earlier edit. A change of what a status quotes, or of who may quote it, is published alone.
 */
export const publishEdits = (deps: Deps) => {
  const { publishLive, outbox, clock } = deps

  const notifyQuoters = async (tx: Tx<StatusesTables>, { statusId, authorId }: Edit) => {
    const quoters = await readQuoters(tx, { statusId, authorId, now: new Date(clock.now()) })
    await outbox.append(
      tx,
      quoters.flatMap((quoter) => renotified(quoter, { actorId: authorId, reason: 'quoted_update', statusId: quoter.quoteId })),
    )
  }

  const notifyBoosters = async (tx: Tx<StatusesTables>, { statusId, authorId }: Edit) => {
    const boosters = await readBoosters(tx, { statusId, authorId, now: new Date(clock.now()) })
    const events = boosters.flatMap((booster) => renotified(booster, { actorId: authorId, reason: 'update', statusId }))
    await outbox.append(tx, events)
  }

  return consumer<StatusesTables, 'statusEdited' | 'statusQuotingChanged'>({
    name: 'statuses.announce-edits',
    topic: 'statuses.v1',
    kinds: ['statusEdited', 'statusQuotingChanged'],
    async handle(tx, received) {
      const edits = received.filter(({ event }) => event.$case === 'statusEdited')
      for (const { event } of latestEdits(edits)) {
        await notifyBoosters(tx, event.value)
        await notifyQuoters(tx, event.value)
      }
    },
    async publishAfter(received) {
      await publishLive(async (connected) => {
        const messages: Uint8Array[] = []
        for (const edit of latestEdits(received)) messages.push(...(await liveEdit(deps, edit, connected)))
        return messages
      })
    },
  })
}
