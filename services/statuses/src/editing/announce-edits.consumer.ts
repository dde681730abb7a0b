import { LiveMessage } from '@rookery/contracts/events'
import { afterCommit, type Database, type Tx } from '@rookery/database'
import type { LiveChannel, Presence } from '@rookery/ephemeral'
import { consumer, type Outbox } from '@rookery/events'
import type { Clock, Logger } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { notificationWithdrawn, recipientAddressed } from '../statuses/index.ts'
import { readHolders, readListings, readShowing } from '../timelines/index.ts'
import { readBoosters, readMentioned } from './edit.store.ts'

type Given = { database: Database<StatusesTables>; live: LiveChannel; presence: Presence; outbox: Outbox; clock: Clock; log: Logger }
type Edit = { statusId: string; authorId: string }

/** Tells of an edit: whoever is connected and has the status, and those who boosted it, whose older word of an edit it replaces. */
export const announceEdits = ({ database, live, presence, outbox, clock, log }: Given) => {
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

  /** The message for whoever is there once the edit is kept; undefined when the status is gone. */
  const announcement = async ({ statusId, authorId }: Edit): Promise<LiveMessage | undefined> => {
    const { db } = database
    const listing = (await readListings(db, [statusId])).get(statusId)
    if (!listing) return undefined
    const connected = await presence.connected()
    const holders = connected.length > 0 ? await readHolders(db, [statusId], connected) : []
    const lists = connected.length > 0 ? await readShowing(db, [statusId], { ownerIds: connected, now: new Date(clock.now()) }) : []
    const present = new Set(connected)
    const mentioned = (await readMentioned(db, statusId)).filter((id) => present.has(id))
    const recipientIds = [...new Set([...holders.map(({ account_id }) => account_id), ...mentioned])]
    const listIds = lists.map(({ listId }) => listId)
    return { event: { $case: 'status', value: { ...listing, authorId, recipientIds, isLocal: true, isEdit: true, listIds } } }
  }

  const tellConnected = async (edit: Edit) => {
    try {
      const message = await announcement(edit)
      if (message) live.publish(LiveMessage.encode(message).finish())
    } catch (error) {
      log.warn({ err: error }, 'a live edit was lost')
    }
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
        afterCommit(tx, () => tellConnected(edit))
      }
    },
  })
}
