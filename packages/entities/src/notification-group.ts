import type { Group } from '@rookery/contracts/notifications'
import { timestamp } from './timestamp.ts'

/** A group of notifications (beyond-the-spec 1.1, 2.4); only in lists with the ids for paging. */
export const notificationGroupEntity = (
  group: Group,
  { report, isList, detail }: { report: unknown; isList: boolean; detail?: object },
) => ({
  group_key: group.key,
  notifications_count: group.count,
  type: group.type,
  // Sequential and below 2^53: a number, as upstream.
  most_recent_notification_id: Number(group.latestId),
  ...(isList && {
    page_min_id: group.pageMinId,
    page_max_id: group.latestId,
    latest_page_notification_at: timestamp(group.latestAtMilliseconds),
  }),
  sample_account_ids: group.sampleAccountIds,
  ...(group.statusId && { status_id: group.statusId }),
  ...(report !== undefined && { report }),
  ...detail,
})

type AccountFields = Record<'id' | 'acct' | 'locked' | 'bot' | 'url' | 'avatar' | 'avatar_static', unknown>

/** PartialAccountWithAvatar: an account in short, for a row of pictures. */
export const partialAccountEntity = ({ id, acct, locked, bot, url, avatar, avatar_static }: AccountFields) => ({
  id,
  acct,
  locked,
  bot,
  url,
  avatar,
  avatar_static,
})
