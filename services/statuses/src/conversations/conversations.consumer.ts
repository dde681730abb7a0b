import { afterCommit, type Tx } from '@rookery/database'
import type { LiveChannel, Presence } from '@rookery/ephemeral'
import { consumer, type Received } from '@rookery/events'
import { idAtTime } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { ConversationWriter, type Silencing } from './keep-conversations.store.ts'
import { tellOwners } from './tell-owners.ts'

type Given = { live: LiveChannel; presence: Presence; clock: Clock }

const KINDS = ['statusPublished', 'statusEdited', 'statusDeleted', 'accountBlocked', 'accountMuted'] as const
type Kind = (typeof KINDS)[number]

/** Direct statuses alone, edits by which somebody joins, and what silences their authors: a mute does unless it leaves notifications on (beyond-the-spec 1.15). */
const concerns = (fact: Received<Kind>['fact']): boolean => {
  switch (fact.$case) {
    case 'statusPublished':
    case 'statusDeleted':
      return fact.value.visibility === 'direct' && !fact.value.reblogOfId
    case 'statusEdited':
      return fact.value.hasJoiners
    case 'accountMuted':
      return fact.value.notifications
    case 'accountBlocked':
      return true
  }
}

const silencingOf = ({ fact, occurredAtMilliseconds }: Received<Kind>): Silencing[] => {
  if (fact.$case !== 'accountBlocked' && fact.$case !== 'accountMuted') return []
  const { accountId, targetId } = fact.value
  return [{ ownerId: accountId, targetId, beforeId: idAtTime(occurredAtMilliseconds + 1) }]
}

/**
 * Keeps everybody's conversations as the facts say (beyond-the-spec 1.16) and tells who is connected. A fixed number of
 * statements, whatever the number of facts.
 */
export const keepConversations = ({ clock, ...given }: Given) => {
  const tell = tellOwners(given)

  const place = async (tx: Tx<StatusesTables>, writer: ConversationWriter, statusIds: readonly string[]) => {
    const touched = await writer.place(statusIds, new Date(clock.now()))
    afterCommit(tx, () => tell(touched.map(({ id, owner_id }) => ({ id, ownerId: owner_id }))))
  }

  return consumer<StatusesTables, Kind>({
    name: 'statuses.conversations',
    topic: 'statuses.v1',
    kinds: KINDS,
    concerns,
    async handle(tx, received) {
      const writer = new ConversationWriter(tx)
      const published = received.flatMap(({ fact }) => (fact.$case === 'statusPublished' ? [fact.value.statusId] : []))
      const deleted = received.flatMap(({ fact }) => (fact.$case === 'statusDeleted' ? [fact.value] : []))
      const silenced = received.flatMap(silencingOf)
      const joined = received.flatMap(({ fact }) => (fact.$case === 'statusEdited' ? [fact.value.statusId] : []))
      if (joined.length > 0) await writer.leave(joined)
      if (published.length + joined.length > 0) await place(tx, writer, [...new Set([...published, ...joined])])
      if (deleted.length > 0) await writer.withdraw(deleted)
      if (silenced.length > 0) await writer.clear(silenced)
    },
  })
}
