import { FederationOperatorDefinition } from '@rookery/contracts/federation'
import type { OutgoingDefinition } from '@rookery/contracts/statuses'
import { orNotFound } from '@rookery/failures'
import { type Call, type Client, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { ActorAddresses } from '../addresses.ts'
import type { Vocabulary } from '../contract.ts'
import type { Keys } from '../keys/index.ts'
import type { OtherServers } from './other-servers.ts'

type Deps = {
  servers: OtherServers
  keys: Keys
  addresses: ActorAddresses
  outgoing: Client<OutgoingDefinition>
  announceActor: Vocabulary['announceActor']
  clock: Clock
}

/** The calls of federation.v1.FederationOperator. */
export const createFederationOperatorRpc = ({ servers, keys, addresses, outgoing, announceActor, clock }: Deps): Handler => {
  const personOf = async (call: Call, username: string) => {
    const { actors: found } = await outgoing.readActors(call, { ids: [], usernames: [username] })
    return orNotFound(found[0], `no person ${username}`)
  }

  return handler(FederationOperatorDefinition, {
    listPeers: (_call, request) => servers.listPeers(request),
    listDeliveries: (_call, request) => servers.listDeliveries(request),
    retry: async (_call, { domain }) => ({ count: await servers.retry(domain) }),
    drop: async (_call, { domain }) => ({ count: await servers.drop(domain) }),
    refresh: (_call, request) => servers.refresh(request),
    purge: async (_call, { domain }) => ({ count: await servers.purgeSome(domain) }),
    listFailedActivities: (_call, request) => servers.listFailedActivities(request),
    replayActivities: async (_call, { domain }) => ({ count: await servers.replayActivities(domain) }),
    async rotateKey(call, { username }) {
      const version = `key-${clock.now()}`
      if (!username) {
        await keys.rotate('')
        await announceActor('', version)
        return { keyId: addresses.serverKey }
      }
      const person = await personOf(call, username)
      await keys.rotate(person.id)
      await announceActor(person.id, version)
      return { keyId: addresses.key(person.username) }
    },
  })
}
