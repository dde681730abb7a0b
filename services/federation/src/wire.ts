import { followBarredNetworks } from '@rookery/barred-networks'
import type { OutgoingDefinition, RemoteAccountsDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { RateCounter } from '@rookery/ephemeral'
import { orNotFound } from '@rookery/failures'
import type { Client } from '@rookery/rpc'
import type { Clock, Logger, ServiceModule } from '@rookery/runtime'
import { type GuardedFetch, guardedFetch, type MayConnect, type Resolve } from '@rookery/ssrf-safe-fetch'
import { createActors } from './actors/index.ts'
import { actorAddresses } from './addresses.ts'
import type { FederationConfig } from './config.ts'
import type { CreateVocabulary, ReadActorDocument } from './contract.ts'
import type { FederationTables } from './database/schema.ts'
import { createDeliver, deliveryMetrics, noDeliveries, sendDeliveries } from './deliveries/index.ts'
import { createFetchDocument } from './documents/index.ts'
import { createFollowers } from './followers/index.ts'
import { inboxMetrics, noActivities, receiveActivity, workActivities } from './inbox/index.ts'
import { createKeys } from './keys/index.ts'
import { ownCall } from './own-call.ts'
import { applyNewLimits, maySend, maySpeak } from './policy/index.ts'
import { createFindAlternate, createResolverRpc, createWebFinger } from './resolving/index.ts'
import { countHost, federationLimits, serveActors } from './serving/index.ts'
import { createFederationOperatorRpc, otherServers, prune, purgeDomain } from './upkeep/index.ts'

export type WireDeps = {
  database: Database<FederationTables>
  statuses: { remoteAccounts: Client<RemoteAccountsDefinition>; outgoing: Client<OutgoingDefinition> }
  rates: RateCounter
  clock: Clock
  log: Logger
  config: FederationConfig
  /** Decides which IP addresses may be connected to; by default those of the public internet. For tests. */
  mayConnect?: MayConnect
  /** Resolves host names; by default with DNS. For tests. */
  resolve?: Resolve
}

/** Allows all addresses, for tests on one machine. */
const ANYWHERE: MayConnect = () => true

const usernames =
  (outgoing: Client<OutgoingDefinition>) =>
  async (accountId: string): Promise<string> => {
    const { actors } = await outgoing.readActors(ownCall(), { ids: [accountId], usernames: [], withSuspended: true })
    return orNotFound(actors[0]?.username, `no person ${accountId} of this server`)
  }

const fetchOf = ({ config, resolve, ...deps }: WireDeps): GuardedFetch => {
  const { baseUrl, allowsPrivate } = config
  const mayConnect = allowsPrivate ? ANYWHERE : deps.mayConnect
  return guardedFetch({ baseUrl, isOwnPortOnly: allowsPrivate, ...(mayConnect && { mayConnect }), ...(resolve && { resolve }) })
}

/** Creates the transport between servers (keys, signatures, fetches, inboxes, deliveries) and the vocabulary on top of it. */
export const createWire = (deps: WireDeps, vocabularyOn: CreateVocabulary, readActor: ReadActorDocument) => {
  const { database, statuses, clock, config } = deps
  const { remoteAccounts } = statuses
  const { baseUrl, allowsPrivate } = config
  const fetch = fetchOf(deps)
  const addresses = actorAddresses(baseUrl)
  const shared = {
    database,
    clock,
    config,
    addresses,
    log: deps.log,
    maySpeak: maySpeak({ database, config }),
    isHttpsOnly: !allowsPrivate,
  }
  const keys = createKeys({ ...shared, usernameOf: usernames(statuses.outgoing) })
  const fetchDocument = createFetchDocument({ ...shared, fetch, keys })
  const webFinger = createWebFinger({ ...shared, fetch })
  const findAlternate = createFindAlternate({ ...shared, fetch })
  const limiting = { applyNewLimits: applyNewLimits({ database, statuses }) }
  const actors = createActors({ ...shared, ...limiting, remoteAccounts, fetchDocument, readActor, confirmHandle: webFinger })
  const deliver = createDeliver(shared)
  const servers = otherServers({ ...shared, actors, remoteAccounts, webFinger })
  const followers = createFollowers({ database, outgoing: statuses.outgoing })
  const vocabulary = vocabularyOn({ fetchDocument, actors, deliver, publicKeyOf: keys.publicKeyOf, followersAt: followers.at })
  const limits = federationLimits(deps)
  const [received, delivered] = [noActivities(), noDeliveries()]
  const receive = receiveActivity({ ...shared, actors, counts: received, countHost: countHost({ limits, clock }) })
  const module = {
    rpc: [createResolverRpc({ ...shared, ...vocabulary, actors, fetchDocument, findAlternate, readActor, webFinger, limits })],
    http: serveActors({ ...shared, documents: vocabulary, receive, actors, limits, counts: received }),
    operator: [createFederationOperatorRpc({ ...shared, ...vocabulary, servers, keys, outgoing: statuses.outgoing })],
    consumers: [followBarredNetworks({ name: 'federation.networks', topic: 'auth.v1' }), ...vocabulary.consumers],
    jobs: [
      sendDeliveries({ ...shared, maySend: maySend({ database, config }), fetch, keys, followers, counts: delivered }),
      workActivities({ ...shared, ...vocabulary, counts: received }),
      prune(deps),
      purgeDomain({ database, servers }),
      ...vocabulary.jobs,
    ],
    metrics: [...inboxMetrics({ ...shared, counts: received }), ...deliveryMetrics({ ...shared, counts: delivered })],
  } satisfies ServiceModule
  return { keys, actors, deliver, fetchDocument, servers, module }
}
