import { FederationOperatorDefinition } from '@rookery/contracts/federation'
import type { OutgoingDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { addJobs } from '@rookery/jobs'
import { type Call, type Client, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { ActorAddresses } from '../addresses.ts'
import type { Actors } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { endWaiting, keyOfHost, SEND_DELIVERIES } from '../deliveries/index.ts'
import { forgetFailures } from '../hosts/index.ts'
import type { Keys } from '../keys/index.ts'
import type { WebFinger } from '../resolving/index.ts'
import { readActorsOf, readHostsOf, readPeers, readWaitingOf } from './upkeep.store.ts'

type Deps = {
  database: Database<FederationTables>
  actors: Actors
  keys: Keys
  addresses: ActorAddresses
  webFinger: WebFinger
  outgoing: Client<OutgoingDefinition>
  clock: Clock
}

const named = (domain: string): string => {
  const name = domain.trim().toLowerCase()
  if (!name) throw invalid('a domain must be named')
  return name
}

const HANDLE = /^@?([^@\s]+)@([^@\s]+)$/

/** The calls of federation.v1.FederationOperator. */
export const federationOperatorHandler = (deps: Deps): Handler => {
  const { database, actors, keys, addresses, clock } = deps

  const actorUriOf = async (address: string): Promise<string> => {
    const [, username, domain] = HANDLE.exec(address.trim()) ?? []
    if (!username || !domain) return address.trim()
    return orNotFound(await deps.webFinger({ username, domain: domain.toLowerCase() })).actorUri
  }

  const personOf = async (call: Call, username: string) => {
    const { actors: found } = await deps.outgoing.readActors(call, { ids: [], usernames: [username] })
    return orNotFound(found[0], `no person ${username}`)
  }

  return handler(FederationOperatorDefinition, {
    async listPeers(_call, { afterDomain, failing }) {
      const rows = await readPeers(database, { after: afterDomain, isFailing: failing })
      return {
        peers: rows.map(({ failingSince, nextTryAt, ...row }) => ({
          ...row,
          failingSinceMilliseconds: failingSince?.getTime(),
          nextTryAtMilliseconds: nextTryAt?.getTime(),
        })),
      }
    },
    async listDeliveries(_call, { domain }) {
      const rows = await readWaitingOf(database, { domain: domain.trim().toLowerCase() })
      return { deliveries: rows.map(({ createdAt, ...row }) => ({ ...row, createdAtMilliseconds: createdAt.getTime() })) }
    },
    async retry(_call, { domain }) {
      const hosts = await readHostsOf(database, { domain: domain.trim().toLowerCase() })
      for (const host of hosts) await forgetFailures(database.db, host.domain)
      const jobs = hosts.map((host) => ({ payload: host, key: keyOfHost(host.domain) }))
      await transact(database.db, (tx) => addJobs(tx, 'federation', SEND_DELIVERIES, jobs))
      return { count: hosts.length }
    },
    async drop(_call, { domain }) {
      const now = new Date(clock.now())
      let count = 0
      for (const host of await readHostsOf(database, { domain: named(domain) })) {
        count += (await endWaiting(database, { domain: host.domain, before: now, result: 'dropped', now })).length
      }
      return { count }
    },
    async refresh(_call, { address }) {
      const actor = await actors.byUri(await actorUriOf(address), { isFresh: true })
      if (!actor?.accountId) throw notFound(`no person ${address}`)
      return { accountId: actor.accountId, uri: actor.uri }
    },
    async purge(_call, { domain }) {
      const name = named(domain)
      const found = await readActorsOf(database, { domain: name, below: `%.${name.replace(/[%_\\]/g, '\\$&')}` })
      for (const { uri } of found) await actors.remove(uri)
      return { count: found.length }
    },
    async rotateKey(call, { username }) {
      if (!username) {
        await keys.rotate('')
        return { keyId: addresses.serverKey }
      }
      const person = await personOf(call, username)
      await keys.rotate(person.id)
      return { keyId: addresses.key(person.username) }
    },
  })
}
