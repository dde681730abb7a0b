import { FederationOperatorDefinition } from '@rookery/contracts/federation'
import type { OutgoingDefinition } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { addJobs } from '@rookery/jobs'
import { type Call, type Client, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { ActorAddresses } from '../addresses.ts'
import type { Actors, Vocabulary } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { endWaiting, keyOfHost, SEND_DELIVERIES } from '../deliveries/index.ts'
import { forgetFailures } from '../hosts/index.ts'
import { keyOfActor, WORK_ACTIVITIES } from '../inbox/index.ts'
import type { Keys } from '../keys/index.ts'
import type { WebFinger } from '../resolving/index.ts'
import { readActorsOf, readFailed, readHostsOf, readPeers, readWaitingOf, reviveFailed } from './upkeep.store.ts'

type Deps = {
  database: Database<FederationTables>
  actors: Actors
  keys: Keys
  addresses: ActorAddresses
  webFinger: WebFinger
  outgoing: Client<OutgoingDefinition>
  announceActor: Vocabulary['announceActor']
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
    async listFailedActivities(_call, { domain }) {
      const rows = await readFailed(database, { domain: domain.trim().toLowerCase() })
      const activities = rows.map(({ receivedAt, failedAt, error, ...row }) => ({
        ...row,
        error: error ?? '',
        receivedAtMilliseconds: receivedAt.getTime(),
        failedAtMilliseconds: failedAt.getTime(),
      }))
      return { activities }
    },
    async replayActivities(_call, { domain }) {
      const revived = await transact(database.db, async (tx) => {
        const rows = await reviveFailed(tx, { domain: domain.trim().toLowerCase() })
        const actors = [...new Set(rows.map(({ actorUri }) => actorUri))]
        const jobs = actors.map((actorUri) => ({ payload: { actorUri }, key: keyOfActor(actorUri) }))
        await addJobs(tx, 'federation', WORK_ACTIVITIES, jobs)
        return rows
      })
      return { count: revived.length }
    },
    async rotateKey(call, { username }) {
      const version = `key-${clock.now()}`
      if (!username) {
        await keys.rotate('')
        await deps.announceActor('', version)
        return { keyId: addresses.serverKey }
      }
      const person = await personOf(call, username)
      await keys.rotate(person.id)
      await deps.announceActor(person.id, version)
      return { keyId: addresses.key(person.username) }
    },
  })
}
