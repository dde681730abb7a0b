import { type OutgoingStatus, Visibility } from '@rookery/contracts/statuses'
import { PUBLIC } from '../reading/audience.ts'
import type { JsonObject } from '../reading/json.ts'
import { time } from './actor.ts'
import { addressing, renderNote, renderTombstone } from './note.ts'
import type { Places } from './places.ts'

const authorOf = (status: OutgoingStatus, at: Places) => at.actor(status.authorUsername)

export const renderCreate = (status: OutgoingStatus, at: Places): JsonObject => ({
  id: `${status.uri}/activity`,
  type: 'Create',
  actor: authorOf(status, at),
  published: time(status.publishedAtMilliseconds),
  ...addressing(status, at),
  object: renderNote(status, at),
})

/** An Update of a status, after an edit, a change of its quote or new votes; `version` makes its id unique. */
export const renderUpdate = (status: OutgoingStatus, { at, version, now }: { at: Places; version: string; now: number }): JsonObject => ({
  id: `${status.uri}#updates/${version}`,
  type: 'Update',
  actor: authorOf(status, at),
  published: time(now),
  ...addressing(status, at),
  object: renderNote(status, at),
})

/**
 * A boost under its own uri, for the booster's followers and the author of the boosted status. `boosted` is embedded: a followers-only
 * status of the booster's own, which other servers could not fetch.
 */
export const renderAnnounce = (status: OutgoingStatus, at: Places, boosted?: OutgoingStatus): JsonObject => {
  const followers = at.followers(status.authorUsername)
  const author = status.reblogOfAuthorUri ? [status.reblogOfAuthorUri] : []
  const everyone = { to: [PUBLIC], cc: [...author, followers] }
  const unlisted = { to: [followers], cc: [PUBLIC, ...author] }
  const limited = { to: [followers], cc: author }
  const audience = status.visibility === Visibility.PUBLIC ? everyone : status.visibility === Visibility.UNLISTED ? unlisted : limited
  return {
    id: status.uri,
    type: 'Announce',
    actor: authorOf(status, at),
    published: time(status.publishedAtMilliseconds),
    ...audience,
    object: boosted ? renderNote(boosted, at) : status.reblogOfUri,
  }
}

/** The Create of a status or the Announce of a boost, with an embedded boosted status if given. */
export const renderPublication = (status: OutgoingStatus, at: Places, boosted?: OutgoingStatus): JsonObject =>
  status.reblogOfUri ? renderAnnounce(status, at, boosted) : renderCreate(status, at)

type Audience = { readonly to: readonly string[]; readonly cc?: readonly string[] }

export const renderDelete = ({ uri, actor, to, cc }: { uri: string; actor: string } & Audience): JsonObject => ({
  id: `${uri}#delete`,
  type: 'Delete',
  actor,
  to,
  ...(cc ? { cc } : {}),
  object: renderTombstone(uri),
})

/** An activity with a single object: Follow, Like, Block, Accept, Reject, Undo, Add, Remove… */
export const renderAct = (
  type: string,
  act: { id: string; actor: string; object: unknown; target?: string; published?: number } & Partial<Audience>,
): JsonObject => ({
  id: act.id,
  type,
  actor: act.actor,
  ...(act.to ? { to: act.to } : {}),
  ...(act.cc ? { cc: act.cc } : {}),
  ...(act.published === undefined ? {} : { published: time(act.published) }),
  object: act.object,
  ...(act.target ? { target: act.target } : {}),
})

/** A vote for one option of a remote poll; several choices are several votes. */
export const renderVote = (vote: { id: string; actor: string; question: string; author: string; choice: string }): JsonObject => ({
  id: `${vote.id}/activity`,
  type: 'Create',
  actor: vote.actor,
  to: [vote.author],
  object: { id: vote.id, type: 'Note', attributedTo: vote.actor, to: [vote.author], inReplyTo: vote.question, name: vote.choice },
})

/** A report by the server's own actor, so that its author stays anonymous. */
export const renderFlag = (report: { id: string; actor: string; objects: readonly string[]; comment: string }): JsonObject => ({
  id: report.id,
  type: 'Flag',
  actor: report.actor,
  content: report.comment,
  object: report.objects,
})

/** The Update of a profile. */
export const renderProfileUpdate = (actor: JsonObject, { version }: { version: string }): JsonObject => ({
  id: `${actor['id']}#updates/${version}`,
  type: 'Update',
  actor: actor['id'],
  to: [PUBLIC],
  object: actor,
})

/** The Delete of a local account and all its statuses. */
export const renderActorDelete = (actor: string): JsonObject => ({
  id: `${actor}#delete`,
  type: 'Delete',
  actor,
  to: [PUBLIC],
  object: actor,
})
