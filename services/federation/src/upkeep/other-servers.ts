import type {
  FailedActivityList,
  FederationDomainRequest,
  FederationPeerList,
  ListDeliveriesRequest,
  ListPeersRequest,
  RefreshActorRequest,
  RefreshedActor,
  WaitingDeliveryList,
} from '@rookery/contracts/federation'
import type { RemoteAccountsDefinition } from '@rookery/contracts/statuses'
import { type Database, escapeLike, type Tx, transact } from '@rookery/database'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { addJobs } from '@rookery/jobs'
import type { Client } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { Actors } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { endWaiting, keyOfHost, SEND_DELIVERIES } from '../deliveries/index.ts'
import { forgetFailures } from '../hosts/index.ts'
import { keyOfActor, WORK_ACTIVITIES } from '../inbox/index.ts'
import { ownCall } from '../own-call.ts'
import type { WebFinger } from '../resolving/index.ts'
import { readActorsOf, readFailed, readHostsOf, readPeers, readWaitingOf, reviveFailed } from './upkeep.store.ts'

type Deps = {
  database: Database<FederationTables>
  actors: Pick<Actors, 'byUri' | 'remove'>
  remoteAccounts: Pick<Client<RemoteAccountsDefinition>, 'removeEmojis'>
  webFinger: WebFinger
  clock: Clock
}

/** Records an action of staff, in the transaction of that action. */
type Note = (tx: Tx<FederationTables>) => Promise<void>
const nothing: Note = async () => {}

const HANDLE = /^@?([^@\s]+)@([^@\s]+)$/

const cleaned = (domain: string): string => domain.trim().toLowerCase()

/** The domain of an action. @throws Failure invalid if it is empty */
export const named = (domain: string): string => {
  const name = cleaned(domain)
  if (!name) throw invalid('a domain must be named')
  return name
}

/** Other servers and their pending deliveries. */
const createPeers = ({ database, clock }: Deps) => {
  return {
    /** Lists other servers by name, at most 200 at a time. */
    async listPeers({ afterDomain, failing, beginsWith }: ListPeersRequest): Promise<FederationPeerList> {
      const rows = await readPeers(database, { after: afterDomain, isFailing: failing, beginsWith: cleaned(beginsWith) })
      return {
        peers: rows.map(({ failingSince, nextTryAt, ...row }) => ({
          ...row,
          failingSinceMilliseconds: failingSince?.getTime(),
          nextTryAtMilliseconds: nextTryAt?.getTime(),
        })),
      }
    },
    /** The oldest 200 pending deliveries, of all domains or one. */
    async listDeliveries({ domain }: ListDeliveriesRequest): Promise<WaitingDeliveryList> {
      const rows = await readWaitingOf(database, { domain: cleaned(domain) })
      return { deliveries: rows.map(({ createdAt, ...row }) => ({ ...row, createdAtMilliseconds: createdAt.getTime() })) }
    },
    /** Retries the hosts of a domain now, or all failing hosts if `domain` is empty. Returns their number. */
    async retry(domain: string, note = nothing): Promise<number> {
      const hosts = await readHostsOf(database, { domain: cleaned(domain) })
      const jobs = hosts.map((host) => ({ payload: host, key: keyOfHost(host.domain) }))
      await transact(database.db, async (tx) => {
        for (const host of hosts) await forgetFailures(tx, host.domain)
        await addJobs(tx, 'federation', SEND_DELIVERIES, jobs)
        await note(tx)
      })
      return hosts.length
    },
    /** Drops the pending deliveries of a domain. Returns their number. @throws Failure invalid if the domain is empty */
    async drop(domain: string, note = nothing): Promise<number> {
      const now = new Date(clock.now())
      const hosts = await readHostsOf(database, { domain: named(domain) })
      return transact(database.db, async (tx) => {
        let count = 0
        for (const host of hosts) count += (await endWaiting(tx, { domain: host.domain, before: now, result: 'dropped', now })).length
        await note(tx)
        return count
      })
    },
  }
}

/** Received activities that failed for good. */
const createFailedActivities = ({ database }: Deps) => {
  return {
    /** The failed activities, of all domains or one. */
    async listFailedActivities({ domain }: FederationDomainRequest): Promise<FailedActivityList> {
      const rows = await readFailed(database, { domain: cleaned(domain) })
      const activities = rows.map(({ receivedAt, failedAt, error, ...row }) => ({
        ...row,
        error: error ?? '',
        receivedAtMilliseconds: receivedAt.getTime(),
        failedAtMilliseconds: failedAt.getTime(),
      }))
      return { activities }
    },
    /** Processes failed activities again, of all domains or one. Returns their number. */
    async replayActivities(domain: string): Promise<number> {
      return transact(database.db, async (tx) => {
        const rows = await reviveFailed(tx, { domain: cleaned(domain) })
        const uris = [...new Set(rows.map(({ actorUri }) => actorUri))]
        const jobs = uris.map((actorUri) => ({ payload: { actorUri }, key: keyOfActor(actorUri) }))
        await addJobs(tx, 'federation', WORK_ACTIVITIES, jobs)
        return rows.length
      })
    },
  }
}

/** Actors of other servers. */
const createPeople = ({ database, actors, remoteAccounts, webFinger }: Deps) => {
  const actorUriOf = async (address: string): Promise<string> => {
    const [, username, domain] = HANDLE.exec(address.trim()) ?? []
    if (!username || !domain) return address.trim()
    return orNotFound(await webFinger({ username, domain: domain.toLowerCase() })).actorUri
  }
  return {
    /** Fetches an actor again, by handle or uri. @throws Failure not_found */
    async refresh({ address }: RefreshActorRequest): Promise<RefreshedActor> {
      const actor = await actors.byUri(await actorUriOf(address), { isFresh: true })
      if (!actor?.accountId) throw notFound(`no person ${address}`)
      return { accountId: actor.accountId, uri: actor.uri }
    },
    /**
     * Removes up to 50 actors of a domain and its subdomains; if there are none left, removes its emojis. Returns the number of actors.
     * @throws Failure invalid if the domain is empty
     */
    async purgeSome(domain: string): Promise<number> {
      const name = named(domain)
      const found = await readActorsOf(database, { domain: name, below: `%.${escapeLike(name)}` })
      for (const { uri } of found) await actors.remove(uri)
      if (found.length === 0) await remoteAccounts.removeEmojis(ownCall(), { domain: name })
      return found.length
    },
  }
}

/** What operators and staff can read and do about other servers. */
export const otherServers = (deps: Deps) => ({ ...createPeers(deps), ...createFailedActivities(deps), ...createPeople(deps) })

export type OtherServers = ReturnType<typeof otherServers>
