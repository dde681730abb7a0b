import { prepared } from '@rookery/database'
import { sql } from 'kysely'

/** A host, what waits for it and how it fails. */
type PeerRow = { domain: string; waiting: number; failures: number; failingSince: Date | null; nextTryAt: Date | null }

/** Hosts after a domain, in alphabetical order: of peers, and of those that were to be delivered to and never answered. */
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

/** A delivery that waits, without its payload. */
type WaitingRow = { id: string; activityId: string; inbox: string; attempts: number; createdAt: Date }

/** Deliveries that wait, the oldest first; of one domain unless it is empty. */
export const readWaitingOf = prepared(
  'upkeep.waiting',
  ({ domain }: { domain: string }) =>
    sql<WaitingRow>`
    select id, activity_id, inbox, attempts, created_at from delivery
    where done_at is null and (${domain}::text = '' or domain = ${domain}) order by id limit 200`,
)

/** The hosts of a domain for which something waits; all that fail when it is empty. */
export const readHostsOf = prepared(
  'upkeep.hosts',
  ({ domain }: { domain: string }) =>
    sql<{ domain: string }>`
    select distinct delivery.domain from delivery left join host on host.domain = delivery.domain
    where done_at is null
      and case when ${domain}::text = '' then host.failing_since is not null else split_part(delivery.domain, ':', 1) = ${domain} or delivery.domain = ${domain} end`,
)

/** People of a domain and its subdomains, some at a time. */
export const readActorsOf = prepared(
  'upkeep.actors',
  ({ domain, below }: { domain: string; below: string }) =>
    sql<{ uri: string }>`
    select uri from remote_actor
    where split_part(domain, ':', 1) = ${domain} or domain = ${domain} or split_part(domain, ':', 1) like ${below} order by uri limit 50`,
)

/** An activity that failed for the last time, without its body. */
type FailedRow = { id: string; actorUri: string; receivedAt: Date; failedAt: Date; error: string | null }

/** Those that failed, the oldest first; of one domain unless it is empty. */
export const readFailed = prepared(
  'upkeep.failed',
  ({ domain }: { domain: string }) =>
    sql<FailedRow>`
    select r.id, r.actor_uri, r.received_at, r.failed_at, r.error from received_activity r left join remote_actor a on a.uri = r.actor_uri
    where r.failed_at is not null and (${domain}::text = '' or a.domain = ${domain} or split_part(a.domain, ':', 1) = ${domain})
    order by r.sequence limit 200`,
)

/** Makes failed activities pending again, from their first attempt on; answers with the actors they belong to, each once. */
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
