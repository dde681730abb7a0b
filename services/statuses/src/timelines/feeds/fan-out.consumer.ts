import type { StatusDeleted, StatusPublished } from '@rookery/contracts/events'
import type { Database, Tx } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, ofKind, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { bumpVersions } from '../../database/status-version.store.ts'
import { requestRemoval } from '../../people/account-lifecycle/index.ts'
import { connectedFirst } from './connected-first.ts'
import { editPublications } from './edit-publications.ts'
import { FeedWriter, toPlace } from './feed.store.ts'
import { deletions, type Published, publications } from './publications.ts'
import { requestPull } from './pull-author.job.ts'
import { readWideAuthors } from './pulled.store.ts'

type Deps = {
  database: Database<StatusesTables>
  publishLive: PublishLive
  clock: Clock
  /** Local followers up to which an author's statuses are written to homes; 0 for no limit. */
  config: { fanOutMaxFollowers: number }
}

const KINDS = ['statusPublished', 'statusEdited', 'statusQuotingChanged', 'statusDeleted', 'accountEmptied'] as const
type Kind = (typeof KINDS)[number]
/** Edits that change placement are handled by another consumer (edited-feeds). */
const PLACING: readonly Kind[] = ['statusPublished', 'statusDeleted', 'accountEmptied']

/** Accounts that have no statuses any more. */
const accountsOf = (received: readonly Received<Kind>[]) => ofKind(received, 'accountEmptied').map(({ event }) => event.value.accountId)

/** Published statuses, except those fetched on request. */
const toPublish = (received: readonly Received<Kind>[]): Published[] =>
  ofKind(received, 'statusPublished').filter(({ event }) => !event.value.isFetched)

/** Removes deleted statuses, and from homes of others the replies to them, and fills the places of removed boosts with other boosts. */
const withdraw = async (tx: Tx<StatusesTables>, deleted: readonly StatusDeleted[], now: Date) => {
  const feeds = new FeedWriter(tx)
  const vacancies = await feeds.withdraw(deleted)
  const orphans = await feeds.orphans(deleted.map(({ statusId }) => statusId))
  if (orphans.length > 0) vacancies.push(...(await feeds.recheck(orphans, [], now)))
  const own = deleted.flatMap(({ authorId, reblogOfId }) => (reblogOfId ? [{ accountId: authorId, originalId: reblogOfId }] : []))
  await feeds.fill([...vacancies, ...own], now)
  // They no longer name their parent. Last: others who change these replies wait for it.
  if (orphans.length > 0) await bumpVersions(tx, orphans)
}

/**
 * Places published statuses in feeds and removes deleted ones, and publishes both to open streams, and edits after the status they change. A batch of
 * events is handled as a set: the number of statements does not depend on its size.
 */
export const fanOut = (deps: Deps) => {
  const { publishLive, clock, config } = deps
  const first = connectedFirst(deps)

  /** Requests pulling for authors who have too many followers by now; their earlier statuses are written. */
  const pullWide = async (tx: Tx<StatusesTables>, published: readonly StatusPublished[]) => {
    const ids = published.map(({ statusId }) => statusId)
    for (const authorId of await readWideAuthors(tx, ids, config.fanOutMaxFollowers)) await requestPull(tx, authorId)
  }

  return consumer<StatusesTables, Kind>({
    name: 'statuses.fan-out',
    topic: 'statuses.v1',
    kinds: KINDS,
    // Placement is computed from the current rows, and existing entries stay.
    isIdempotent: true,
    pick: async (_db, received) => received.filter(({ event: { $case } }) => PLACING.includes($case)),
    async handle(tx: Tx<StatusesTables>, received) {
      const published = ofKind(received, 'statusPublished').map(({ event }) => event.value)
      const deleted = ofKind(received, 'statusDeleted').map(({ event }) => event.value)
      const feeds = new FeedWriter(tx)
      await feeds.share()
      const unplaced = first.unplaced(ofKind(received, 'statusPublished')).map(({ event }) => event.value)
      if (unplaced.length > 0) await feeds.place(toPlace(unplaced), new Date(clock.now()))
      if (published.length > 0 && config.fanOutMaxFollowers > 0) await pullWide(tx, published)
      if (deleted.length > 0) await withdraw(tx, deleted, new Date(clock.now()))
      await requestRemoval(tx, accountsOf(received))
    },
    async publishBefore(received) {
      const published = toPublish(received)
      if (published.length > 0) await first.publishAndPlace(published)
      const deleted = ofKind(received, 'statusDeleted')
      if (deleted.length > 0) await publishLive(deletions(deps, deleted))
    },
    async publishAfter(received) {
      const published = toPublish(received)
      const edited = [...ofKind(received, 'statusEdited'), ...ofKind(received, 'statusQuotingChanged')]
      if (published.length + edited.length === 0) return
      await publishLive(async (connected) => [
        ...(await publications(deps, first.unpublished(published, connected))(connected)),
        ...(await editPublications(deps, edited)(connected)),
      ])
    },
  })
}
