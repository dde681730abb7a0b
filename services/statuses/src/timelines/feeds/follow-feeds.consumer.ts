import { type Database, type Tx, transact } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { FeedWriter } from './feed.store.ts'
import { HomeWriter } from './home-writer.store.ts'
import { liveMessage } from './live.events.ts'
import { readPulledAuthors } from './pulled.store.ts'
import { readUnwanted, refreshHome } from './refresh-home.ts'

const KINDS = [
  'accountFollowed',
  'accountUnfollowed',
  'followChanged',
  'accountBlocked',
  'accountUnblocked',
  'accountMuted',
  'accountUnmuted',
  'domainBlocked',
  'domainUnblocked',
  'listMembersAdded',
  'listMembersRemoved',
  'listChanged',
  'listDeleted',
  'tagFollowed',
  'tagUnfollowed',
] as const
type Kind = (typeof KINDS)[number]

/** The accounts whose homes an event changes: the acting account; for a block both. */
const homesOf = (event: Received<Kind>['event']): string[] => {
  if (event.$case === 'accountBlocked' || event.$case === 'accountUnblocked') return [event.value.accountId, event.value.targetId]
  return [event.value.accountId]
}

const SILENCING = ['accountBlocked', 'accountMuted', 'domainBlocked'] as const
type Silencing = Extract<Received<Kind>['event'], { $case: (typeof SILENCING)[number] }>
type Silenced = Omit<Received<Kind>, 'event'> & { event: Silencing }
const isSilenced = (received: Received<Kind>): received is Silenced => (SILENCING as readonly string[]).includes(received.event.$case)

/** The accounts that are hidden from now on, as far as they may have been on exclusive lists or pulled. */
const targetsOf = ({ event }: Silenced): string[] => (event.$case === 'domainBlocked' ? event.value.followedIds : [event.value.targetId])

/**
 * Maximum statuses of a member of an exclusive list, or of a pulled author, to remove from the reader's view: how far the reader has scrolled is
 * unknown.
 */
const IN_VIEW = 200

/**
 * Live messages for an account that blocked or muted others, or blocked a domain: statuses removed from its home leave its lists too, and its
 * exclusive lists had others. The feeds are claimed, so that no concurrent placement is missed.
 */
const removals = async (tx: Tx<StatusesTables>, silenced: readonly Silenced[], now: Date): Promise<Uint8Array[]> => {
  const { id, event } = silenced[0]!
  const { accountId } = event.value
  const homes = new HomeWriter(tx)
  const unwanted = [...(await readUnwanted(tx, accountId, now))]
  const listIds = await homes.listsOf(accountId)
  const exclusive = await homes.exclusiveListsOf(accountId)
  const targets = silenced.flatMap(targetsOf)
  const pulled = (await readPulledAuthors(tx, { accountIds: targets })).map((each) => each.accountId)
  if (pulled.length > 0) unwanted.push(...(await homes.newestOf(pulled, IN_VIEW)).filter((each) => !unwanted.includes(each)))
  const onLists = exclusive.length > 0 ? await homes.newestOf(targets, IN_VIEW) : []
  const fromHome = new Set(unwanted)
  return [
    ...unwanted.map((statusId) => removedFrom({ accountIds: [accountId], listIds }, statusId)),
    ...onLists.filter((each) => !fromHome.has(each)).map((statusId) => removedFrom({ accountIds: [], listIds: exclusive }, statusId)),
  ].map((deletion) => liveMessage(id, deletion))
}

/** A status that was removed from some homes and lists, but still exists. */
const removedFrom = ({ accountIds, listIds }: { accountIds: string[]; listIds: string[] }, statusId: string) => ({
  $case: 'deletion' as const,
  value: { statusId, recipientIds: accountIds, isListed: false, isLocal: true, hasMedia: false, tags: [], listIds },
})

/**
 * Keeps homes in step with the graph, lists and followed tags: rebuilds the home of the acting account (beyond-the-spec 1.12, 1.15). What a block or
 * mute removes is published to the account's open streams.
 */
export const followFeeds = ({
  database,
  publishLive,
  clock,
}: {
  database: Database<StatusesTables>
  publishLive: PublishLive
  clock: Clock
}) =>
  consumer<StatusesTables, Kind>({
    name: 'statuses.follow-feeds',
    topic: 'statuses.v1',
    kinds: KINDS,
    // Deleting a list that was not exclusive changes no home.
    concerns: (event) => event.$case !== 'listDeleted' || event.value.wasExclusive,
    async handle(tx, received) {
      await new FeedWriter(tx).claim()
      for (const accountId of new Set(received.flatMap(({ event }) => homesOf(event)))) {
        await refreshHome(tx, accountId, { now: new Date(clock.now()) })
      }
    },
    async publishBefore(received) {
      const silenced = Object.groupBy(received.filter(isSilenced), ({ event }) => event.value.accountId)
      await publishLive(async (connected) => {
        const acting = connected.flatMap((accountId) => (silenced[accountId] ? [silenced[accountId]] : []))
        if (acting.length === 0) return []
        return transact(database.db, async (tx) => {
          await new FeedWriter(tx).claim()
          const messages: Uint8Array[] = []
          for (const each of acting) messages.push(...(await removals(tx, each, new Date(clock.now()))))
          return messages
        })
      })
    },
  })
