import type { Database } from '@rookery/database'
import type { Received } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readEditHolders, readEditLists, readMentioned } from './edit-audience.store.ts'
import { type Listing, readListings } from './listing.store.ts'
import { liveMessage } from './live.events.ts'
import { readPulledRecipients } from './pulled.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }
type Edited = Received<'statusEdited' | 'statusQuotingChanged'>

/** The last edit of a status in a batch, the tags it had before any of them, and whether it had media. */
type Latest = { edit: Edited; previousTags: readonly string[]; hadMedia: boolean }

const tagsBefore = ({ event }: Edited): readonly string[] => (event.$case === 'statusEdited' ? event.value.previousTags : [])

/** Merges the edits of each status. */
const latestEdits = (received: readonly Edited[]): Latest[] =>
  [...Map.groupBy(received, ({ event }) => event.value.statusId).values()].map((edits) => ({
    edit: edits.at(-1)!,
    previousTags: edits.flatMap(tagsBefore),
    hadMedia: edits.some(({ event }) => event.$case === 'statusEdited' && event.value.hadMedia),
  }))

/** The tags whose streams get an edit: also former ones. */
const streamsOf = ({ isTagged, tags }: Listing, previousTags: readonly string[]): string[] =>
  isTagged ? [...new Set([...tags, ...previousTags])] : []

/** The listing of an edited status, and the accounts it mentions. */
type Shown = { listing: Listing; mentionedIds: readonly string[] }

/** Reads edited statuses; deleted ones are left out. */
const readShown = async ({ db }: Deps['database'], statusIds: readonly string[]): Promise<Map<string, Shown>> => {
  const listings = await readListings(db, statusIds)
  const mentioned = await readMentioned(db, statusIds)
  const mentionedIn = (id: string) => mentioned.flatMap(({ statusId, accountId }) => (statusId === id ? [accountId] : []))
  return new Map([...listings].map(([id, listing]) => [id, { listing, mentionedIds: mentionedIn(id) }]))
}

/** The live message of an edit for connected accounts. */
const liveEdit = async (
  { database: { db }, clock }: Deps,
  { edit: { id, event }, previousTags, hadMedia }: Latest,
  { listing, mentionedIds, connected }: Shown & { connected: readonly string[] },
): Promise<Uint8Array> => {
  const { statusId, authorId } = event.value
  const now = new Date(clock.now())
  const holders = connected.length > 0 ? await readEditHolders(db, statusId, { accountIds: connected, now }) : []
  const listIds = connected.length > 0 ? await readEditLists(db, statusId, { ownerIds: connected, now }) : []
  const present = new Set(connected)
  const pulling = connected.length > 0 ? await readPulledRecipients(db, [statusId], { accountIds: connected, now }) : []
  const mentioned = mentionedIds.filter((accountId) => present.has(accountId))
  const recipientIds = [...new Set([...holders, ...pulling.map(({ accountId }) => accountId), ...mentioned])]
  return liveMessage(id, {
    $case: 'status',
    value: {
      ...listing,
      // Listeners of former tags, and of streams with media only, may still show the status.
      tags: streamsOf(listing, previousTags),
      hasMedia: listing.hasMedia || hadMedia,
      ...{ authorId, recipientIds, isEdit: true, listIds },
    },
  })
}

/** Live messages of edits, quote changes and quote policy changes, to those who have the status, itself or by a boost. */
export const editPublications =
  (deps: Deps, received: readonly Edited[]) =>
  async (connected: readonly string[]): Promise<Uint8Array[]> => {
    if (received.length === 0) return []
    const edits = latestEdits(received)
    const shown = await readShown(
      deps.database,
      edits.map(({ edit }) => edit.event.value.statusId),
    )
    const messages: Uint8Array[] = []
    for (const latest of edits) {
      const about = shown.get(latest.edit.event.value.statusId)
      if (about) messages.push(await liveEdit(deps, latest, { ...about, connected }))
    }
    return messages
  }
