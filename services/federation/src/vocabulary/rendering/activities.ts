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

/** An edit, or votes counted: `version` tells one from another. */
export const renderUpdate = (status: OutgoingStatus, { at, version, now }: { at: Places; version: string; now: number }): JsonObject => ({
  id: `${status.uri}#updates/${version}`,
  type: 'Update',
  actor: authorOf(status, at),
  published: time(now),
  ...addressing(status, at),
  object: renderNote(status, at),
})

/**
 * A boost, under its own uri, for the followers of who boosts and the author of what is boosted. `boosted` is sent along: a status for followers
 * that its author boosts, which servers that lack it could not fetch.
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

/** The activity that made a status or boost, with what is boosted where it is sent along. */
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

/** An act that names one thing: Follow, Like, Block, Accept, Reject, Undo, Add, Remove… */
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

/** One choice in a poll of another server; several choices are several votes. */
export const renderVote = (vote: { id: string; actor: string; question: string; author: string; choice: string }): JsonObject => ({
  id: `${vote.id}/activity`,
  type: 'Create',
  actor: vote.actor,
  to: [vote.author],
  object: { id: vote.id, type: 'Note', attributedTo: vote.actor, to: [vote.author], inReplyTo: vote.question, name: vote.choice },
})

/** A report without who wrote it: the server's own actor says it. */
export const renderFlag = (report: { id: string; actor: string; objects: readonly string[]; comment: string }): JsonObject => ({
  id: report.id,
  type: 'Flag',
  actor: report.actor,
  content: report.comment,
  object: report.objects,
})

/** A profile as it is now. */
export const renderProfileUpdate = (actor: JsonObject, { version }: { version: string }): JsonObject => ({
  id: `${actor['id']}#updates/${version}`,
  type: 'Update',
  actor: actor['id'],
  to: [PUBLIC],
  object: actor,
})

/** A person of this server is gone with all they said. */
export const renderActorDelete = (actor: string): JsonObject => ({
  id: `${actor}#delete`,
  type: 'Delete',
  actor,
  to: [PUBLIC],
  object: actor,
})
