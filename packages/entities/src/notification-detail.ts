import type { NotificationDetail } from '@rookery/contracts/common'
import { timestamp } from './timestamp.ts'

/** What a detail refers to: an account as JSON, and a time. */
type Shown = { account: Buffer; createdAtMilliseconds: number }

/** The keys of a notification for its subject (beyond-the-spec 1.1): moderation_warning, or event of severed relationships. */
export const detailEntity = (detail: NotificationDetail | undefined, { account, createdAtMilliseconds }: Shown): object => {
  const created_at = timestamp(createdAtMilliseconds)
  if (detail?.warning) {
    const { id, action, text, statusIds, appeal = null } = detail.warning
    const target_account: unknown = JSON.parse(account.toString())
    return { moderation_warning: { id, action, text, status_ids: statusIds, target_account, appeal, created_at } }
  }
  if (!detail?.severed) return {}
  const { id, type, targetName, followersCount, followingCount } = detail.severed
  const counts = { followers_count: followersCount, following_count: followingCount }
  return { event: { id, type, purged: false, target_name: targetName, ...counts, created_at } }
}
