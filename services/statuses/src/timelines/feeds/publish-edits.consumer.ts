import type { Database, Tx } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, type Outbox, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { notificationWithdrawn, recipientAddressed } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { readBoosters, readEditHolders, readEditLists, readMentioned } from './edit-audience.store.ts'
import { readListings } from './listing.store.ts'
import { liveMessage } from './live.events.ts'

type Deps = { database: Database<StatusesTables>; publishLive: PublishLive; outbox: Outbox; clock: Clock }
type Edit = { statusId: string; authorId: string }
type Edited = Received<'statusEdited'>

/** Of several edits of one status the last: what is read is the latest content. */
const latestEdits = (received: readonly Edited[]): Edited[] => [
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
  const mentioned = (await readMentioned(db, statusId)).filter((accountId) => present.has(accountId))
  const recipientIds = [...new Set([...holders, ...mentioned])]
  return [liveMessage(id, { $case: 'status', value: { ...listing, authorId, recipientIds, isLocal: true, isEdit: true, listIds } })]
}

/**
 * Publishes an edit to those who are connected and have the status, itself or by a boost, and notifies those who boosted it: the
 * notification replaces that of an earlier edit.
 */
export const publishEdits = (deps: Deps) => {
  const { publishLive, outbox, clock } = deps

  const notifyBoosters = async (tx: Tx<StatusesTables>, { statusId, authorId }: Edit) => {
    const boosters = await readBoosters(tx, { statusId, authorId, now: new Date(clock.now()) })
    const events = boosters.flatMap((booster) => {
      const notified = { recipientId: booster.id, reason: 'update', actorId: authorId, statusId }
      const relationship = {
        followsActor: booster.followsAuthor,
        followedSince: booster.followedSince,
        actorCreatedAt: booster.authorCreatedAt,
        isActorLimited: booster.isAuthorLimited,
      }
      return [notificationWithdrawn(notified), recipientAddressed(notified, relationship)]
    })
    await outbox.append(tx, events)
  }

  return consumer<StatusesTables, 'statusEdited'>({
    name: 'statuses.announce-edits',
    topic: 'statuses.v1',
    kinds: ['statusEdited'],
    async handle(tx, received) {
      for (const { event } of latestEdits(received)) await notifyBoosters(tx, event.value)
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
