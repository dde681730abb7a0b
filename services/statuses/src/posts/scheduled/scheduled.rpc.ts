import { PAGE_SIZES } from '@rookery/contracts/limits'
import { ScheduledDefinition } from '@rookery/contracts/statuses'
import { pageWithin } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import type { PublishDeps } from '../statuses/index.ts'
import { cancelScheduled } from './cancel-scheduled.ts'
import { publishScheduled } from './publish-scheduled.ts'
import { listScheduled, readByKey, readScheduled } from './read-scheduled.ts'
import { scheduleStatus } from './schedule-status.ts'
import { updateScheduled } from './update-scheduled.ts'

/** Serves Scheduled of the contract: scheduled statuses and drafts. */
export const createScheduledRpc = (deps: PublishDeps): Handler => {
  const list = listScheduled(deps)
  const read = readScheduled(deps)
  const byKey = readByKey(deps)
  const cancel = cancelScheduled(deps)
  return handler(ScheduledDefinition, {
    schedule: scheduleStatus(deps),
    list: (_call, { viewerId, page, drafts }) => list(viewerId, { page: pageWithin(PAGE_SIZES.scheduled, page), drafts }),
    read: (_call, request) => read(request),
    readByKey: (_call, request) => byKey(request),
    update: updateScheduled(deps),
    cancel: async (call, request) => {
      await cancel(call, request)
      return {}
    },
    publish: publishScheduled(deps),
  })
}
