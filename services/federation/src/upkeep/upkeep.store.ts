import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** A host, the number of its pending deliveries and its failures. */
type PeerRow = { domain: string; waiting: number; failures: number; failingSince: Date | null; nextTryAt: Date | null }

/** Hosts after a domain, in alphabetical order: peers, and hosts of deliveries that may never have answered. */
export const readPeers = prepared(
  'upkeep.peers',
  (given: { after: string; isFailing: boolean; beginsWith: string }) =>
    sql<PeerRow>`
    select known.domain, (select count(*)::int from delivery where delivery.domain = known.domain and done_at is null) waiting,
      coalesce(host.failures, 0) failures, host.failing_since, host.next_try_at
    from (select domain from peer union select domain from host) known left join host on host.domain = known.domain
    where known.domain > ${given.after} and (not ${given.isFailing}::boolean or host.failing_since is not null)
      and starts_with(known.domain, ${given.beginsWith}::text)
    order by known.domain limit 200`,
)

/** A pending delivery, without its payload. */
type WaitingRow = { id: string; activityId: string; inbox: string; attempts: number; createdAt: Date }

/** Pending deliveries, the oldest first; of all domains if `domain` is empty. */
export const readWaitingOf = prepared(
  'upkeep.waiting',
  ({ domain }: { domain: string }) =>
    sql<WaitingRow>`
    select id, activity_id, inbox, attempts, created_at from delivery
    where done_at is null and (${domain}::text = '' or domain = ${domain}) order by id limit 200`,
)

/** The hosts of a domain with pending deliveries; all failing ones if `domain` is empty. */
export const readHostsOf = prepared(
  'upkeep.hosts',
  ({ domain }: { domain: string }) =>
    sql<{ domain: string }>`
    select distinct delivery.domain from delivery left join host on host.domain = delivery.domain
    where done_at is null
      and case when ${domain}::text = '' then host.failing_since is not null else split_part(delivery.domain, ':', 1) = ${domain} or delivery.domain = ${domain} end`,
)

/** Up to 50 actors of a domain and its subdomains. */
export const readActorsOf = prepared(
  'upkeep.actors',
  ({ domain, below }: { domain: string; below: string }) =>
    sql<{ uri: string }>`
    select uri from remote_actor
    where split_part(domain, ':', 1) = ${domain} or domain = ${domain} or split_part(domain, ':', 1) like ${below} order by uri limit 50`,
)

/** An activity that failed for good, without its body. */
type FailedRow = { id: string; actorUri: string; receivedAt: Date; failedAt: Date; error: string | null }

/** Failed activities, the oldest first; of all domains if `domain` is empty. */
export const readFailed = prepared(
  'upkeep.failed',
  ({ domain }: { domain: string }) =>
    sql<FailedRow>`
    select r.id, r.actor_uri, r.received_at, r.failed_at, r.error from received_activity r left join remote_actor a on a.uri = r.actor_uri
    where r.failed_at is not null and (${domain}::text = '' or a.domain = ${domain} or split_part(a.domain, ':', 1) = ${domain})
    order by r.sequence limit 200`,
)

/** Makes up to 1000 failed activities pending again, without attempts; returns the actor of each. */
export const reviveFailed = prepared(
  'upkeep.revive',
  ({ domain }: { domain: string }) =>
    sql<{ actorUri: string }>`
    update received_activity set failed_at = null, error = null, attempts = 0, next_try_at = null
    where sequence = any(array(
      select r.sequence from received_activity r left join remote_actor a on a.uri = r.actor_uri
      where r.failed_at is not null and (${domain}::text = '' or a.domain = ${domain} or split_part(a.domain, ':', 1) = ${domain})
      order by r.sequence limit 1000))
    returning actor_uri`,
)
