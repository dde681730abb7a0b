import { type Recipients, recipientsOf } from './audience.ts'
import { firstUri, isObject, itemsOf, type JsonObject, textOf, timeOf, typeAmong, uriOf, urisOf } from './json.ts'

const ACTIVITY_TYPES = new Set([
  'Create',
  'Update',
  'Delete',
  'Announce',
  'Like',
  'EmojiReact',
  'Undo',
  'Follow',
  'Accept',
  'Reject',
  'Block',
  'Flag',
  'Move',
  'Add',
  'Remove',
  'QuoteRequest',
] as const)
export type ActivityType = typeof ACTIVITY_TYPES extends ReadonlySet<infer Type> ? Type : never

/** How deep activities lie in activities: an Undo of an Announce of a Create and what that holds. */
const MAX_DEPTH = 3
const MAX_OBJECTS = 64
const MAX_CONTENT = 5000

/** What an activity is about: its id, and what was sent of it. */
export type Named = {
  /** Empty where it has none. */
  readonly uri: string
  readonly document: JsonObject | undefined
  readonly activity: Activity | undefined
}

export type Activity = {
  /** Empty where it has none. */
  readonly id: string
  readonly type: ActivityType
  readonly actor: string
  readonly object: Named
  /** Every id it names, of a report all that is reported. */
  readonly objects: readonly string[]
  /** Empty for none. */
  readonly target: string
  readonly recipients: Recipients
  readonly publishedAt: number | undefined
  /** What a report says, or the emoji of a reaction. */
  readonly content: string
  /** Of the request of a quote: the status that quotes. */
  readonly instrument: Named
  /** What an acceptance gives: of a quote what approves it. Empty for none. */
  readonly result: string
}

/** `actor` is whose an activity in it is that names none. */
const namedIn = (value: unknown, depth: number, actor = ''): Named => {
  const [first] = itemsOf(value, 1)
  const embedded = isObject(first) ? first : undefined
  return {
    uri: uriOf(first) ?? '',
    document: embedded,
    activity: embedded && depth < MAX_DEPTH ? activityAt(embedded, depth + 1, actor) : undefined,
  }
}

const activityAt = (document: JsonObject, depth: number, around = ''): Activity | undefined => {
  const type = typeAmong(document, ACTIVITY_TYPES)
  const actor = firstUri(document['actor']) ?? around
  if (!type || !actor) return undefined
  const recipients = recipientsOf(document)
  return {
    id: uriOf(document) ?? '',
    type,
    actor,
    // What someone undoes is their own.
    object: namedIn(document['object'], depth, type === 'Undo' ? actor : ''),
    objects: urisOf(document['object'], MAX_OBJECTS),
    target: firstUri(document['target']) ?? '',
    recipients,
    publishedAt: timeOf(document['published']),
    content: textOf(document['content'] ?? document['_misskey_reaction'], MAX_CONTENT),
    instrument: namedIn(document['instrument'], MAX_DEPTH),
    result: firstUri(document['result']) ?? '',
  }
}

/** Reads an activity; undefined for what is none that this server knows. What it holds is as sent: whom to believe the caller decides. */
export const readActivity = (document: unknown): Activity | undefined => (isObject(document) ? activityAt(document, 0) : undefined)
