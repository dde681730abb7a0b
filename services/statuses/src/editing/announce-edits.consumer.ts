import type { LiveMessage } from '@rookery/contracts/events'
import type { Database, Tx } from '@rookery/database'
import type { LiveChannel, Presence } from '@rookery/ephemeral'
import { consumer, type Outbox } from '@rookery/events'
import type { Clock, Logger } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { notificationWithdrawn, recipientAddressed } from '../statuses/index.ts'
import { readEditHolders, readEditLists, readListings, tellLive } from '../timelines/index.ts'
import { readBoosters, readMentioned } from './edit.store.ts'

type Given = { database: Database<StatusesTables>; live: LiveChannel; presence: Presence; outbox: Outbox; clock: Clock; log: Logger }
type Edit = { statusId: string; authorId: string }

/**
 * Publishes an edit to those who are connected and have the status, itself or by a boost, and notifies those who boosted it: the
 * notification replaces that of an earlier edit.
 */
export const announceEdits = (given: Given) => {
  const { database, presence, outbox, clock } = given

  const tellBoosters = async (tx: Tx<StatusesTables>, { statusId, authorId }: Edit) => {
    const boosters = await readBoosters(tx, { statusId, authorId, now: new Date(clock.now()) })
    const facts = boosters.flatMap((booster) => {
      const told = { recipientId: booster.id, reason: 'update', actorId: authorId, statusId }
      const standing = {
        followsActor: booster.follows_author,
        isFollowed: booster.is_followed,
        actorCreatedAt: booster.author_created_at,
        isActorLimited: booster.is_author_limited,
      }
      return [notificationWithdrawn(told), recipientAddressed(told, standing)]
    })
    await outbox.append(tx, facts)
  }

  /** The message for whoever is there; none when the status is gone. */
  const announcements = async ({ statusId, authorId }: Edit): Promise<LiveMessage[]> => {
    const { db } = database
    const listing = (await readListings(db, [statusId])).get(statusId)
    if (!listing) return []
    const connected = await presence.connected()
    const now = new Date(clock.now())
    const holders = connected.length > 0 ? await readEditHolders(db, statusId, connected) : []
    const listIds = connected.length > 0 ? await readEditLists(db, statusId, { ownerIds: connected, now }) : []
    const present = new Set(connected)
    const mentioned = (await readMentioned(db, statusId)).filter((id) => present.has(id))
    const recipientIds = [...new Set([...holders, ...mentioned])]
    return [{ event: { $case: 'status', value: { ...listing, authorId, recipientIds, isLocal: true, isEdit: true, listIds } } }]
  }

  return consumer<StatusesTables, 'statusEdited'>({
    name: 'statuses.announce-edits',
    topic: 'statuses.v1',
    kinds: ['statusEdited'],
    async handle(tx, received) {
      // Several edits of one status within a batch are told of once: what is read is the latest.
      const edits = new Map(received.map(({ fact }) => [fact.value.statusId, fact.value]))
      for (const edit of edits.values()) {
        await tellBoosters(tx, edit)
        tellLive(given, tx, () => announcements(edit))
      }
    },
  })
}
