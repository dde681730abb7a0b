import { type OutgoingStatus, Visibility } from '@rookery/contracts/statuses'
import { PUBLIC, renderAct, renderDelete, renderPublication, renderUpdate } from '../../vocabulary/index.ts'
import { payloadOf } from './answer-follow.ts'
import { audienceOf, followersOf, outgoingStatus, references, type Sends, type SentDeps } from './deps.ts'
import { quoteRequest } from './quotes.ts'

/** The status for followers that its author boosts: who may see the boost may see it. */
const ownForFollowers = async (deps: SentDeps, boost: OutgoingStatus, reblogOfId: string): Promise<OutgoingStatus | undefined> => {
  const isOwn = boost.reblogOfUri !== '' && boost.reblogOfAuthorUri === deps.at.actor(boost.authorUsername)
  return isOwn && boost.visibility === Visibility.PRIVATE ? outgoingStatus(deps, reblogOfId) : undefined
}

/** A status or boost of someone here, to those whom it is for. */
export const statusPublished =
  (deps: SentDeps): Sends<'statusPublished'> =>
  async ({ event }) => {
    const status = await outgoingStatus(deps, event.value.statusId)
    if (!status) return []
    const accountIds = await audienceOf(deps, status.id)
    const isForFollowers = status.visibility === Visibility.PRIVATE
    const boosted = await ownForFollowers(deps, status, event.value.reblogOfId)
    const published = { ...payloadOf(renderPublication(status, deps.at, boosted)), senderId: status.authorId, accountIds, isForFollowers }
    return [...(await quoteRequest(deps, status, accountIds)), published]
  }

const updateOf = async (deps: SentDeps, statusId: string, { version, now }: { version: string; now: number }) => {
  const status = await outgoingStatus(deps, statusId)
  if (!status || status.reblogOfUri) return []
  const accountIds = await audienceOf(deps, status.id)
  return [{ ...payloadOf(renderUpdate(status, { at: deps.at, version, now })), senderId: status.authorId, accountIds }]
}

/** An edit. */
export const statusEdited =
  (deps: SentDeps): Sends<'statusEdited'> =>
  ({ id, occurredAtMilliseconds, event }) =>
    updateOf(deps, event.value.statusId, { version: id, now: occurredAtMilliseconds })

/** What it quotes, or who may quote it: a quote was approved or revoked. */
export const statusQuotingChanged =
  (deps: SentDeps): Sends<'statusQuotingChanged'> =>
  ({ id, occurredAtMilliseconds, event }) =>
    updateOf(deps, event.value.statusId, { version: id, now: occurredAtMilliseconds })

/** The votes in a poll as they are counted now. */
export const pollCounted =
  (deps: SentDeps): Sends<'pollCounted'> =>
  ({ id, occurredAtMilliseconds, event }) =>
    updateOf(deps, event.value.statusId, { version: id, now: occurredAtMilliseconds })

/** What a deletion says it is for: what the status was for, as far as the row said before it went. */
const audienceOfDeleted = (visibility: string, { followers, named }: { followers: string; named: string[] }) => {
  if (visibility === 'public' || visibility === 'unlisted') return { to: [PUBLIC], cc: [followers] }
  return { to: visibility === 'direct' ? named : [followers] }
}

/** A status is gone: its tombstone, or of a boost that it is taken back, to those who got it. */
export const statusDeleted =
  (deps: SentDeps): Sends<'statusDeleted'> =>
  async ({ event }) => {
    const { authorId, reblogOfId, visibility, sent } = event.value
    if (!sent) return []
    const found = await references(deps, { accountIds: [authorId, ...sent.remoteAccountIds] })
    const author = found.account(authorId)
    if (!author?.isLocal) return []
    const followerIds = visibility === 'direct' ? [] : await followersOf(deps, authorId)
    const accountIds = [...new Set([...sent.remoteAccountIds, ...followerIds])]
    const named = sent.remoteAccountIds.flatMap((id) => found.account(id)?.uri ?? [])
    const audience = audienceOfDeleted(visibility, { followers: deps.at.followers(author.username), named })
    const { uri } = sent
    const boosted = { id: uri, type: 'Announce', actor: author.uri, object: sent.reblogOfUri }
    const activity = reblogOfId
      ? renderAct('Undo', { id: `${uri}/undo`, actor: author.uri, ...audience, object: boosted })
      : renderDelete({ uri, actor: author.uri, ...audience })
    return [{ ...payloadOf(activity), senderId: authorId, accountIds }]
  }
