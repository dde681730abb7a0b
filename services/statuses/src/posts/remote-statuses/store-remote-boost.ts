import { randomInt } from 'node:crypto'
import type { RemoteBoost, StoredRemoteStatus, Visibility } from '@rookery/contracts/statuses'
import { type Database, isUniqueViolation, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { Failure } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { addressRecipients, isDirect, isStated } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { boostPublished, boostVisibility, mayBoost, ReblogWriter, type Target, visibleTarget } from '../interactions/index.ts'
import { inAttempts, unless } from '../statuses/index.ts'
import { isOwnUri, publishedAt, remoteId } from './remote-status.rules.ts'
import { prepareRemote, type RemotePreparation } from './remote-status.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; views: Views; clock: Clock }

const MAX_ATTEMPTS = 8
const LOW_BITS = 0x1_0000
const REFUSED: StoredRemoteStatus = { id: '', isNew: false }

/** The boosted status; undefined if the booster may not see or boost it. */
const targetOf = async (deps: Deps, { authorId, reblogOfId }: RemoteBoost): Promise<Target | undefined> => {
  try {
    return await visibleTarget(deps, { statusId: reblogOfId, viewerId: authorId }, { refuseBlocked: true })
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'not_found' || error.kind === 'forbidden')) return undefined
    throw error
  }
}

/** Adds a boost, or returns the existing one; refuses it if the original was deleted meanwhile or may not be boosted. */
const addBoost = async ({ outbox }: Deps, tx: Tx<StatusesTables>, boost: RemoteBoost & { id: string; target: Target; now: Date }) => {
  const { id, target, authorId, uri, now } = boost
  const writer = new ReblogWriter(tx)
  const original = await writer.original(target.id)
  if (!original || !mayBoost(original, authorId)) return REFUSED
  const existing = await writer.boostOf(target.id, authorId)
  if (existing) return { id: existing, isNew: false }
  const visibility: Visibility = boostVisibility(boost.visibility, original.visibility, boost.visibility)
  await writer.add({ id, uri, authorId, originalId: target.id, visibility, now, isOrdered: false })
  const address = { recipientId: target.authorId, actorId: authorId, reason: 'reblog', statusId: target.id }
  const published = boostPublished(id, { viewerId: authorId, target }, visibility)
  await outbox.append(tx, [published, ...(await addressRecipients(tx, [address], now))])
  return { id, isNew: true }
}

const isIdTaken = (error: unknown) => isUniqueViolation(error, 'status_head_pkey')

/** The status already stored under the uri of a boost; refused for any account but its author. */
const storedBoost = (stored: { id: string; authorId: string }, authorId: string): StoredRemoteStatus =>
  stored.authorId === authorId ? { id: stored.id, isNew: false } : REFUSED

/** Whether a boost is acceptable: by a remote account that is not suspended, with a uri of its server and a visibility other than direct. */
const mayKeep = ({ uri, visibility }: RemoteBoost, author: RemotePreparation): boolean =>
  author.domain !== null && !author.isSuspended && isOwnUri(uri, author.uri ?? '') && !isDirect(visibility) && isStated(visibility)

/**
 * Stores a boost by a remote account, or returns its existing boost of the status. Refuses it if the account is suspended or may not see or boost
 * the status, and if the uri is not on the account's server.
 * @throws Failure conflict if no free id is found for its time
 */
export const storeRemoteBoost =
  (deps: Deps) =>
  async (_call: Call, boost: RemoteBoost): Promise<StoredRemoteStatus> => {
    const { database, clock } = deps
    const { authorId, uri } = boost
    const asked = { authorId, uri, parentId: null, quotedId: null, mentionedIds: [], tags: [], now: new Date(clock.now()) }
    const [author] = await prepareRemote(database, asked)
    if (!author || !mayKeep(boost, author)) return REFUSED
    if (author.stored) return storedBoost(author.stored, authorId)
    const target = await targetOf(deps, boost)
    if (!target) return REFUSED
    return inAttempts(MAX_ATTEMPTS, () => {
      const id = remoteId({ ...boost, isFetched: false }, clock.now(), randomInt(LOW_BITS))
      const now = new Date(publishedAt(boost.publishedAtMilliseconds, clock.now()))
      return unless(
        isIdTaken,
        transact(database.db, (tx) => addBoost(deps, tx, { ...boost, id, target, now })),
      )
    })
  }
