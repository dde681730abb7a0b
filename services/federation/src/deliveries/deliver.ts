import type { Tx } from '@rookery/database'
import { addJobs } from '@rookery/jobs'
import type { Clock } from '@rookery/runtime'
import type { Deliver, Outbound } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { hostOf } from '../host.rules.ts'
import { SERVER } from '../keys/index.ts'
import { addDeliveries, addOutbound, readInboxes } from './delivery.store.ts'

/** The job that sends the pending deliveries of a host. */
export const SEND_DELIVERIES = 'send-deliveries'

/** The job key of a host: at most one job waits for each. */
export const keyOfHost = (domain: string): string => `deliver:${domain}`

type Deps = { clock: Clock; config: { baseUrl: string } }

/** Maximum length of the address of an inbox: nothing is delivered to a longer one. */
export const MAX_INBOX = 2048

/** Stores deliveries (`Deliver`): one payload, a row for each inbox, a job for each host. */
export const createDeliver = ({ clock, config }: Deps): Deliver => {
  const ownHost = new URL(config.baseUrl).host

  const inboxesOf = async (tx: Tx<FederationTables>, { accountIds = [], inboxes = [] }: Outbound) => {
    const found = accountIds.length > 0 ? await readInboxes(tx, { accountIds }) : []
    const distinct = new Set([...found.map(({ inbox }) => inbox), ...inboxes])
    return Array.from(distinct, (inbox) => ({ inbox, domain: hostOf(inbox) ?? '' })).filter(
      ({ inbox, domain }) => domain !== '' && domain !== ownHost && inbox.length <= MAX_INBOX,
    )
  }

  return async (tx, outbound) => {
    const inboxes = await inboxesOf(tx, outbound)
    if (inboxes.length === 0) return
    const { activityId, senderId, payload, isForFollowers = false, endsFollow = false } = outbound
    const now = new Date(clock.now())
    await addOutbound(tx, { id: activityId, senderId: senderId || SERVER, payload, isForFollowers, endsFollow, now })
    const domains = await addDeliveries(tx, { activityId, inboxes, now })
    const jobs = domains.map((domain) => ({ payload: { domain }, key: keyOfHost(domain) }))
    await addJobs(tx, 'federation', SEND_DELIVERIES, jobs)
  }
}
