import type { StoredPoll } from '../../database/tables/poll.ts'
import type { StoredAttachment } from '../../database/tables/status.ts'
import { isSameQuestion } from '../polls/index.ts'
import type { EditableStatus, Edited } from './edit.store.ts'

/** The file name of a URL: the address of the files may change. */
const nameIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)

const fileOf = ({ id, description, focus, preview_url }: StoredAttachment) => [
  id,
  description,
  focus?.x ?? null,
  focus?.y ?? null,
  nameIn(preview_url),
]

/** Clients send the end of a poll as a duration from now, so that an edit that means to keep the end moves it by the time that passed. */
const MIN_MOVE = 60_000

const isEndMoved = ({ expiresAt: before }: StoredPoll, { expiresAt: after }: StoredPoll) =>
  before === null || after === null ? before !== after : Math.abs(after - before) >= MIN_MOVE

const isPollChanged = (before: StoredPoll | null, after: StoredPoll | null) =>
  before && after
    ? !isSameQuestion(before, after) || before.hidesTotals !== after.hidesTotals || isEndMoved(before, after)
    : before !== after

/** Whether an edit changes anything visible; otherwise no revision is stored (beyond-the-spec 1.10, Edit). */
export const isChanged = (before: EditableStatus, after: Edited): boolean =>
  before.text !== after.text ||
  before.spoilerText !== after.spoilerText ||
  before.sensitive !== after.sensitive ||
  before.language !== after.language ||
  JSON.stringify(before.attachments.map(fileOf)) !== JSON.stringify(after.attachments.map(fileOf)) ||
  isPollChanged(before.poll, after.poll)

/** Whether an edited status stays in the same feeds, by its language, tags and mentions: former mentions remain. */
export const keepsPlace = (before: EditableStatus, after: Edited): boolean => {
  const tags = new Set(before.tags)
  const mentioned = new Set(before.mentions.map(({ id }) => id))
  return (
    before.language === after.language &&
    tags.size === after.tags.length &&
    after.tags.every(({ name }) => tags.has(name)) &&
    after.mentions.every(({ id }) => mentioned.has(id))
  )
}

/**
 * The time of an edit, later than the one before: other servers ignore an edit that is not later than what they have (ActivityPub `updated`), and
 * edits at once take their turns in any order.
 */
export const timeOfEdit = ({ createdAt, editedAt }: EditableStatus, now: number): Date =>
  new Date(Math.max(now, (editedAt ?? createdAt).getTime() + 1))
