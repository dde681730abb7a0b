import type { Database, Source } from '@rookery/database'
import type { PublishLive } from '@rookery/ephemeral'
import { consumer, type Outbox, type Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { notificationWithdrawn, recipientAddressed } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type Notified, readBoosters, readEditHolders, readEditLists, readMentioned, readQuoters } from './edit-audience.store.ts'
import { type Listing, readListings } from './listing.store.ts'
import { liveMessage } from './live.events.ts'
import { readPulledRecipients } from './pulled.store.ts'

type Deps = { database: Database<StatusesTables>; publishLive: PublishLive; outbox: Outbox; clock: Clock }
type Edit = { statusId: string; authorId: string }
type Edited = Received<'statusEdited' | 'statusQuotingChanged'>

/** Of several edits of one status the last: what is read is the latest content. */
const latestEdits = <Kind extends Edited>(received: readonly Kind[]): Kind[] => [
  ...new Map(received.map((edited) => [edited.event.value.statusId, edited])).values(),
]

/** The edits themselves, of each status the last. */
const editsOf = (received: readonly Edited[]): Edit[] =>
  latestEdits(received.filter(({ event }) => event.$case === 'statusEdited')).map(({ event }) => event.value)

/** Of an edited status: what public streams carry of it, and whom it mentions. */
type Shown = { listing: Listing; mentionedIds: readonly string[] }

/** What is shown of edited statuses; those that are gone are left out. */
const readShown = async ({ db }: Deps['database'], statusIds: readonly string[]): Promise<Map<string, Shown>> => {
  const listings = await readListings(db, statusIds)
  const mentioned = await readMentioned(db, statusIds)
  const mentionedIn = (id: string) => mentioned.flatMap(({ statusId, accountId }) => (statusId === id ? [accountId] : []))
  return new Map([...listings].map(([id, listing]) => [id, { listing, mentionedIds: mentionedIn(id) }]))
}

/** The message for those who are connected. */
const liveEdit = async (
  { database: { db }, clock }: Deps,
  { id, event }: Edited,
  { listing, mentionedIds, connected }: Shown & { connected: readonly string[] },
): Promise<Uint8Array> => {
  const { statusId, authorId } = event.value
  const now = new Date(clock.now())
  const holders = connected.length > 0 ? await readEditHolders(db, statusId, connected) : []
  const listIds = connected.length > 0 ? await readEditLists(db, statusId, { ownerIds: connected, now }) : []
  const present = new Set(connected)
  const pulling = connected.length > 0 ? await readPulledRecipients(db, [statusId], { accountIds: connected, now }) : []
  const mentioned = mentionedIds.filter((accountId) => present.has(accountId))
  const recipientIds = [...new Set([...holders, ...pulling.map(({ accountId }) => accountId), ...mentioned])]
  return liveMessage(id, { $case: 'status', value: { ...listing, authorId, recipientIds, isEdit: true, listIds } })
}

/** Notifies a person of an edit in place of an earlier one. */
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

/**
 * Publishes an edit to those who are connected and have the status, itself or by a boost, and notifies those who boosted or quote it: the
 * notification replaces that of an earlier edit. A change of what a status quotes, or of who may quote it, is published alone.
 */
export const publishEdits = (deps: Deps) => {
  const { publishLive, outbox, clock } = deps

  /** Whom to notify of these edits: in the order of the edits, who boosted before who quotes. */
  const readNotified = async (source: Source, edits: readonly Edit[]) => {
    const asked = { statusIds: edits.map(({ statusId }) => statusId), now: new Date(clock.now()) }
    const boosters = await readBoosters(source, asked)
    const quoters = await readQuoters(source, asked)
    return edits.map((edit) => {
      const isOfEdit = ({ statusId }: Notified) => statusId === edit.statusId
      return { edit, boosters: boosters.filter(isOfEdit), quoters: quoters.filter(isOfEdit) }
    })
  }

  return consumer<StatusesTables, 'statusEdited' | 'statusQuotingChanged'>({
    name: 'statuses.announce-edits',
    topic: 'statuses.v1',
    kinds: ['statusEdited', 'statusQuotingChanged'],
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
    async publishAfter(received) {
      await publishLive(async (connected) => {
        const edits = latestEdits(received)
        const shown = await readShown(
          deps.database,
          edits.map(({ event }) => event.value.statusId),
        )
        const messages: Uint8Array[] = []
        for (const edit of edits) {
          const about = shown.get(edit.event.value.statusId)
          if (about) messages.push(await liveEdit(deps, edit, { ...about, connected }))
        }
        return messages
      })
    },
  })
}
