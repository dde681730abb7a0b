import { type StatusPage, Visibility } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notAllowed, orNotFound } from '@rookery/failures'
import { type Ids, timeOfId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../database/schema.ts'
import { addressRecipient } from '../graph/index.ts'
import { deletionFact, notificationWithdrawn, StatusWriter, statusPublished, visibilityName } from '../statuses/index.ts'
import type { Views } from '../views/index.ts'
import { boostVisibility, mayBoost } from './reblog.rules.ts'
import { ReblogWriter } from './reblog.store.ts'
import { visibleTarget } from './visible-target.ts'

type Given = { database: Database<StatusesTables>; views: Views; outbox: Outbox; clock: Clock; ids: Ids }

/**
 * Boosts a status: the boost is a status of its own and the answer; again answers with the boost there is (beyond-the-spec 1.10).
 * @throws Failure not_found, forbidden for what may not be boosted, invalid for a visibility boosts cannot have
 */
export const reblogStatus =
  (given: Given) =>
  async ({ viewerId, statusId, visibility }: { viewerId: string; statusId: string; visibility: Visibility }): Promise<StatusPage> => {
    if (visibility === Visibility.DIRECT) throw invalid('Visibility is not included in the list')
    const target = await visibleTarget(given, { statusId, viewerId }, { refuseBlocked: true })
    const boostId = await transact(given.database.db, async (tx) => {
      const writer = new ReblogWriter(tx)
      const original = orNotFound(await writer.original(target.id))
      if (!mayBoost(original, viewerId)) throw notAllowed(`status ${target.id} may not be boosted by ${viewerId}`)
      const existing = await writer.boostOf(target.id, viewerId)
      if (existing) return existing
      const id = given.ids.next()
      const audience = boostVisibility(visibility, original.visibility, (await writer.defaultPrivacy(viewerId)) ?? null)
      const now = new Date(timeOfId(id))
      await writer.add({ id, authorId: viewerId, originalId: target.id, visibility: audience, now })
      const published = statusPublished({
        statusId: id,
        authorId: viewerId,
        reblogOfId: target.id,
        reblogOfAuthorId: target.authorId,
        visibility: visibilityName(audience),
        inReplyToAccountId: '',
        tags: [],
        hasMedia: false,
        mentionedAccountIds: [],
      })
      const address = { recipientId: target.authorId, actorId: viewerId, reason: 'reblog', statusId: target.id, now }
      await given.outbox.append(tx, [published, ...(await addressRecipient(tx, address))])
      return id
    })
    return given.views.byIds(viewerId, [boostId], 'direct')
  }

/** Takes a boost back and answers with the original; also when there was none (beyond-the-spec 1.10). @throws Failure not_found */
export const unreblogStatus =
  (given: Given) =>
  async ({ viewerId, statusId }: { viewerId: string; statusId: string }): Promise<StatusPage> => {
    const target = await visibleTarget(given, { statusId, viewerId })
    await transact(given.database.db, async (tx) => {
      const boostId = await new ReblogWriter(tx).boostOf(target.id, viewerId)
      if (!boostId) return
      const statuses = new StatusWriter(tx)
      const doomed = await statuses.doomed(boostId, viewerId)
      await statuses.remove(doomed)
      const told = { recipientId: target.authorId, reason: 'reblog', actorId: viewerId, statusId: target.id }
      await given.outbox.append(tx, [...doomed.map((boost) => deletionFact(boost, false)), notificationWithdrawn(told)])
    })
    return given.views.byIds(viewerId, [target.id], 'direct')
  }
