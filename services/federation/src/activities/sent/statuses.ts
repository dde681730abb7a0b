import { type OutgoingStatus, Visibility } from '@rookery/contracts/statuses'
import { PUBLIC, payloadOf, renderAct, renderDelete, renderPublication, renderUpdate } from '../../vocabulary/index.ts'
import { isForRelays } from './concern.rules.ts'
import { audienceOf, followersOf, outgoingStatus, references, type Sends, type SentDeps } from './deps.ts'
import { quoteRequest } from './quotes.ts'

/** The followers-only status that its own author boosts: the audience of the boost may see it, so it is embedded. */
const ownForFollowers = async (deps: SentDeps, boost: OutgoingStatus, reblogOfId: string): Promise<OutgoingStatus | undefined> => {
  const isOwn = boost.reblogOfUri !== '' && boost.reblogOfAuthorUri === deps.at.actor(boost.authorUsername)
  return isOwn && boost.visibility === Visibility.PRIVATE ? outgoingStatus(deps, reblogOfId) : undefined
}

/** The inboxes of relays, for a status that they get. */
const relaysFor = async (deps: SentDeps, status: Parameters<typeof isForRelays>[0]): Promise<string[]> =>
  isForRelays(status) ? deps.relays.inboxes() : []

/** A local status or boost, sent to its audience. */
export const statusPublished =
  (deps: SentDeps): Sends<'statusPublished'> =>
  async ({ event }) => {
    const status = await outgoingStatus(deps, event.value.statusId)
    if (!status) return []
    const accountIds = await audienceOf(deps, status.id)
    const isForFollowers = status.visibility === Visibility.PRIVATE
    const boosted = await ownForFollowers(deps, status, event.value.reblogOfId)
    const payload = payloadOf(renderPublication(status, deps.at, boosted))
    const published = { ...payload, senderId: status.authorId, accountIds, inboxes: await relaysFor(deps, event.value), isForFollowers }
    return [...(await quoteRequest(deps, status, accountIds)), published]
  }

const updateOf = async (deps: SentDeps, statusId: string, { version, now }: { version: string; now: number }) => {
  const status = await outgoingStatus(deps, statusId)
  if (!status || status.reblogOfUri) return []
  const visibility = status.visibility === Visibility.PUBLIC ? 'public' : 'other'
  const recipients = { accountIds: await audienceOf(deps, status.id), inboxes: await relaysFor(deps, { visibility, reblogOfId: '' }) }
  return [{ ...payloadOf(renderUpdate(status, { at: deps.at, version, now })), senderId: status.authorId, ...recipients }]
}

/** An edited status. */
export const statusEdited =
  (deps: SentDeps): Sends<'statusEdited'> =>
  ({ id, occurredAtMilliseconds, event }) =>
    updateOf(deps, event.value.statusId, { version: id, now: occurredAtMilliseconds })

/** A changed quote or quote policy: a quote was approved or revoked. */
export const statusQuotingChanged =
  (deps: SentDeps): Sends<'statusQuotingChanged'> =>
  ({ id, occurredAtMilliseconds, event }) =>
    updateOf(deps, event.value.statusId, { version: id, now: occurredAtMilliseconds })

/** The current results of a poll. */
export const pollCounted =
  (deps: SentDeps): Sends<'pollCounted'> =>
  ({ id, occurredAtMilliseconds, event }) =>
    updateOf(deps, event.value.statusId, { version: id, now: occurredAtMilliseconds })

/** The recipients that a deletion names: those of the status, as far as they are still known. */
const audienceOfDeleted = (visibility: string, { followers, named }: { followers: string; named: string[] }) => {
  if (visibility === 'public' || visibility === 'unlisted') return { to: [PUBLIC], cc: [followers] }
  return { to: visibility === 'direct' ? named : [followers] }
}

/** A deleted status, as a tombstone, or an undone boost; sent to all who received it. */
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
    return [{ ...payloadOf(activity), senderId: authorId, accountIds, inboxes: await relaysFor(deps, event.value) }]
  }
