import { anyOf, type Db, type Tx } from '@rookery/database'
import type { Insertable, Selectable } from 'kysely'
import type { NotificationsTables } from '../database/schema.ts'

/** A subscription as it is stored. */
export type StoredSubscription = Selectable<NotificationsTables['pushSubscription']>

const SHOWN = ['id', 'endpoint', 'standard', 'alerts', 'policy', 'serverKey'] as const

/** Maximum subscriptions of an account: each notification makes a request for each, to URLs that the account chose. */
export const MAX_SUBSCRIPTIONS = 50

/** Replaces the subscription of a token, under a new id. Beyond the maximum, the oldest of the account are deleted. */
export const replaceSubscription = async (tx: Tx<NotificationsTables>, row: Insertable<NotificationsTables['pushSubscription']>) => {
  const { tokenId, accountId } = row
  await tx.deleteFrom('pushSubscription').where('tokenId', '=', tokenId).execute()
  const written = await tx
    .insertInto('pushSubscription')
    .values(row)
    .onConflict((conflict) => conflict.column('tokenId').doUpdateSet(row))
    .returning(SHOWN)
    .executeTakeFirstOrThrow()
  const own = tx.selectFrom('pushSubscription').select('id').where('accountId', '=', accountId)
  const tooMany = own.orderBy('id', 'desc').offset(MAX_SUBSCRIPTIONS)
  await tx.deleteFrom('pushSubscription').where('id', 'in', tooMany).execute()
  return written
}

export const readSubscription = (db: Db<NotificationsTables>, tokenId: string) =>
  db.selectFrom('pushSubscription').select(SHOWN).where('tokenId', '=', tokenId).executeTakeFirst()

export const changeSubscription = (db: Db<NotificationsTables>, tokenId: string, preferences: { alerts: string; policy: string }) =>
  db.updateTable('pushSubscription').set(preferences).where('tokenId', '=', tokenId).returning(SHOWN).executeTakeFirst()

export const removeSubscriptions = async (
  db: Db<NotificationsTables> | Tx<NotificationsTables>,
  column: 'id' | 'tokenId' | 'accountId',
  values: readonly string[],
): Promise<void> => {
  await db.deleteFrom('pushSubscription').where(column, '=', anyOf(values)).execute()
}

/** An account's subscriptions, the latest first: at most `MAX_SUBSCRIPTIONS`. */
export const listSubscriptions = (db: Db<NotificationsTables>, accountId: string) =>
  db
    .selectFrom('pushSubscription')
    .select(['id', 'endpoint', 'alerts', 'createdAt'])
    .where('accountId', '=', accountId)
    .orderBy('id', 'desc')
    .execute()

/** Deletes a subscription of an account; another's stays. */
export const removeSubscription = async (
  db: Db<NotificationsTables>,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> => {
  await db.deleteFrom('pushSubscription').where('id', '=', id).where('accountId', '=', accountId).execute()
}

/** Pauses or resumes the subscriptions of accounts. */
export const pauseSubscriptions = async (tx: Tx<NotificationsTables>, accountIds: readonly string[], isPaused: boolean): Promise<void> => {
  await tx.updateTable('pushSubscription').set({ isPaused }).where('accountId', '=', anyOf(accountIds)).execute()
}

/** Reads a notification and a subscription of its recipient; undefined if either is gone. */
export const readDelivery = (db: Db<NotificationsTables>, delivery: { notificationId: string; subscriptionId: string }) =>
  db
    .selectFrom('notification')
    .innerJoin('pushSubscription', 'pushSubscription.accountId', 'notification.recipientId')
    .select(['notification.id', 'notification.recipientId', 'notification.type', 'notification.actorId', 'notification.statusId'])
    .select(['notification.createdAt', 'endpoint', 'p256dh', 'auth', 'standard', 'policy', 'alerts', 'accessToken', 'serverKey'])
    .where('notification.id', '=', delivery.notificationId)
    .where('pushSubscription.id', '=', delivery.subscriptionId)
    .where('isPaused', '=', false)
    .executeTakeFirst()
export type Delivery = NonNullable<Awaited<ReturnType<typeof readDelivery>>>
