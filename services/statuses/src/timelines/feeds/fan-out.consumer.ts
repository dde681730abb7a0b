import type { StatusDeleted, StatusPublished } from '@rookery/contracts/events'
import type { Database, Tx } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, ofKind, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
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
  /** Followers of this server up to which statuses of an author are written to homes; 0 for any number. */
  config: { fanOutMaxFollowers: number }
}

type Kind = 'statusPublished' | 'statusEdited' | 'statusQuotingChanged' | 'statusDeleted'

/** All but what was fetched because someone asked for it. */
const toPublish = (received: readonly Received<Kind>[]): Published[] =>
  ofKind(received, 'statusPublished').filter(({ event }) => !event.value.isFetched)

/**
 * Places published statuses in feeds and removes deleted ones, and publishes both to open streams, and edits after the status they change.
 * It works a batch of events as a set: the number of statements does not depend on its size.
 */
export const fanOut = (deps: Deps) => {
  const { publishLive, clock, config } = deps
  const first = connectedFirst(deps)

  /** Has authors pulled whom too many follow by now; what is published until then is written. */
  const pullWide = async (tx: Tx<StatusesTables>, published: readonly StatusPublished[]) => {
    const ids = published.map(({ statusId }) => statusId)
    for (const authorId of await readWideAuthors(tx, ids, config.fanOutMaxFollowers)) await requestPull(tx, authorId)
  }

  /** Takes out what is gone and the replies to it, and lets other boosts take the places of those that vanished. */
  const withdraw = async (feeds: FeedWriter, deleted: readonly StatusDeleted[]) => {
    const now = new Date(clock.now())
    const vacancies = await feeds.withdraw(deleted)
    const orphans = await feeds.orphans(deleted.map(({ statusId }) => statusId))
    if (orphans.length > 0) vacancies.push(...(await feeds.recheck(orphans, [], now)))
    const own = deleted.flatMap(({ authorId, reblogOfId }) => (reblogOfId ? [{ accountId: authorId, originalId: reblogOfId }] : []))
    await feeds.fill([...vacancies, ...own], now)
  }

  return consumer<StatusesTables, Kind>({
    name: 'statuses.fan-out',
    topic: 'statuses.v1',
    kinds: ['statusPublished', 'statusEdited', 'statusQuotingChanged', 'statusDeleted'],
    // Where statuses belong is asked of the rows as they stand, and what is there already stays.
    isIdempotent: true,
    // Edits that change where a status belongs are placed by another consumer (edited-feeds).
    pick: async (_db, received) => received.filter(({ event: { $case } }) => $case === 'statusPublished' || $case === 'statusDeleted'),
    async handle(tx: Tx<StatusesTables>, received) {
      const published = ofKind(received, 'statusPublished').map(({ event }) => event.value)
      const deleted = ofKind(received, 'statusDeleted').map(({ event }) => event.value)
      const feeds = new FeedWriter(tx)
      await feeds.share()
      const unplaced = first.unplaced(ofKind(received, 'statusPublished')).map(({ event }) => event.value)
      if (unplaced.length > 0) await feeds.place(toPlace(unplaced), new Date(clock.now()))
      if (published.length > 0 && config.fanOutMaxFollowers > 0) await pullWide(tx, published)
      if (deleted.length > 0) await withdraw(feeds, deleted)
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
