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

/** Maximum nesting of activities: an Undo of an Announce of a Create and its object. */
const MAX_DEPTH = 3
const MAX_OBJECTS = 64
const MAX_CONTENT = 5000

/** An object of an activity: its id, and the embedded document. */
export type Named = {
  /** Empty if it has none. */
  readonly uri: string
  readonly document: JsonObject | undefined
  readonly activity: Activity | undefined
}

export type Activity = {
  /** Empty if it has none. */
  readonly id: string
  readonly type: ActivityType
  readonly actor: string
  readonly object: Named
  /** All ids in `object`; of a report, all reported objects. */
  readonly objects: readonly string[]
  /** Empty if there is none. */
  readonly target: string
  readonly recipients: Recipients
  readonly publishedAt: number | undefined
  /** The comment of a report, or the emoji of a reaction. */
  readonly content: string
  /** The quoting status of a quote request. */
  readonly instrument: Named
  /** The uri of the approval, if a quote request is accepted; else empty. */
  readonly result: string
}

/** `actor` is the actor of an embedded activity that names none. */
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
    // An actor undoes only activities of their own.
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

/** Parses an activity; undefined for unknown types. Its content is as claimed: the caller decides what to trust. */
export const readActivity = (document: unknown): Activity | undefined => (isObject(document) ? activityAt(document, 0) : undefined)
