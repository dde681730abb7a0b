import { NotificationDetail } from '@rookery/contracts/common'
import { type Consumer, consumer } from '@rookery/events'
import type { NotificationsTables } from '../database/schema.ts'
import { lockWarning, writeDetail } from './detail.store.ts'

/** Adds appeals and their decisions to the notifications of acts of staff. An act may have notified no one. */
export const noteAppeals = (): Consumer<NotificationsTables> =>
  consumer({
    name: 'notifications.appeals',
    topic: 'auth.v1',
    kinds: ['appealChanged'],
    async handle(tx, received) {
      for (const { event } of received) {
        const { accountId, actId, appeal } = event.value
        const found = await lockWarning(tx, { accountId, actId })
        const detail = found?.detail && NotificationDetail.decode(found.detail)
        if (found && detail?.warning) await writeDetail(tx, found.id, { ...detail, warning: { ...detail.warning, appeal } })
      }
    },
  })
