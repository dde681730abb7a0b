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

/** The status that a boost boosts; undefined where the booster may not see or boost it. */
const targetOf = async (deps: Deps, { authorId, reblogOfId }: RemoteBoost): Promise<Target | undefined> => {
  try {
    return await visibleTarget(deps, { statusId: reblogOfId, viewerId: authorId }, { refuseBlocked: true })
  } catch (error) {
    if (error instanceof Failure && (error.kind === 'not_found' || error.kind === 'forbidden')) return undefined
    throw error
  }
}

/** Writes the boost, or finds the one there is; refused when the original is gone meanwhile or may not be boosted. */
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

/** What is kept under the uri of a boost already: it is the answer to its author alone. */
const storedBoost = (stored: { id: string; authorId: string }, authorId: string): StoredRemoteStatus =>
  stored.authorId === authorId ? { id: stored.id, isNew: false } : REFUSED

/** Whether a person of another server may have boosted anything so: under an address of their server, for people who are said. */
const mayKeep = ({ uri, visibility }: RemoteBoost, author: RemotePreparation): boolean =>
  author.domain !== null && !author.isSuspended && isOwnUri(uri, author.uri ?? '') && !isDirect(visibility) && isStated(visibility)

/**
 * Keeps a boost by a person of another server. Refused where they may not boost it, see it or are suspended, and where its uri is not of their
 * server; another boost of the same by the same person is the boost there is.
 * @throws Failure conflict when every id of its moment is taken
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
