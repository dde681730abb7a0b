import {
  type FailedActivity,
  FederationOperatorDefinition,
  type FederationPeer,
  type Relay,
  RelaysDefinition,
  type WaitingDelivery,
} from '@rookery/contracts/federation'
import { operatorCall, type Servers } from './servers.ts'
import type { Subcommand } from './subcommand.ts'

const federationOf = (servers: Servers) => servers.of('federation', FederationOperatorDefinition)
const relaysOf = (servers: Servers) => servers.of('federation', RelaysDefinition)

const time = (milliseconds: number) => new Date(milliseconds).toISOString()

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const lineOfPeer = ({ domain, waiting, failures, failingSinceMilliseconds, nextTryAtMilliseconds }: FederationPeer): string =>
  [
    domain,
    ...(waiting > 0 ? [`${counted(waiting, 'delivery waits', 'deliveries wait')}`] : []),
    ...(failingSinceMilliseconds === undefined
      ? []
      : [`fails since ${time(failingSinceMilliseconds)} (${counted(failures, 'attempt', 'attempts')})`]),
    ...(nextTryAtMilliseconds === undefined ? [] : [`asked again at ${time(nextTryAtMilliseconds)}`]),
  ].join('  ')

const peers: Subcommand = {
  usage: 'peers',
  summary: 'Lists other servers, what waits for them, and since when they fail; with --failing only those that do.',
  options: { '--failing': 'only servers that fail at the moment' },
  async run(servers, { options }) {
    const operator = await federationOf(servers)
    const found: FederationPeer[] = []
    for (let afterDomain = ''; ; ) {
      const { peers: page } = await operator.listPeers(operatorCall(), {
        afterDomain,
        failing: options['failing'] === true,
        beginsWith: '',
      })
      const last = page.at(-1)
      if (!last) break
      found.push(...page)
      afterDomain = last.domain
    }
    return { lines: found.length > 0 ? found.map(lineOfPeer) : ['There are none.'], json: found }
  },
}

const lineOfDelivery = ({ id, activityId, inbox, attempts, createdAtMilliseconds }: WaitingDelivery): string =>
  [id, time(createdAtMilliseconds), `${activityId} to ${inbox}`, ...(attempts > 0 ? [counted(attempts, 'attempt', 'attempts')] : [])].join(
    '  ',
  )

const deliveries: Subcommand = {
  usage: 'deliveries [domain]',
  summary: 'Lists the oldest 200 deliveries that wait, of one server when it is named.',
  async run(servers, { operands }) {
    const request = { domain: operands[0] ?? '' }
    const { deliveries: waiting } = await (await federationOf(servers)).listDeliveries(operatorCall(), request)
    return { lines: waiting.length > 0 ? waiting.map(lineOfDelivery) : ['Nothing waits.'], json: waiting }
  },
}

const retry: Subcommand = {
  usage: 'retry [domain]',
  summary: 'Asks a server for which something waits again now; all that fail when none is named.',
  async run(servers, { operands }) {
    const { count } = await (await federationOf(servers)).retry(operatorCall(), { domain: operands[0] ?? '' })
    return { lines: [`${counted(count, 'server is', 'servers are')} asked again.`], json: { count } }
  },
}

const drop: Subcommand = {
  usage: 'drop <domain>',
  summary: 'Gives up all deliveries that wait for a server.',
  async run(servers, { operands }) {
    const { count } = await (await federationOf(servers)).drop(operatorCall(), { domain: operands[0] ?? '' })
    return { lines: [`${counted(count, 'delivery was', 'deliveries were')} given up.`], json: { count } }
  },
}

const refresh: Subcommand = {
  usage: 'refresh <handle>',
  summary: 'Reads a person of another server again, by handle or by the address of their actor.',
  async run(servers, { operands }) {
    const actor = await (await federationOf(servers)).refresh(operatorCall(), { address: operands[0] ?? '' })
    return { lines: [`${actor.uri} is account ${actor.accountId}.`], json: actor }
  },
}

const purge: Subcommand = {
  usage: 'purge <domain>',
  summary:
    'Removes all people of a server and its subdomains, with what they said and did here. Suspend the domain first, or they come back.',
  async run(servers, { operands }) {
    const operator = await federationOf(servers)
    let removed = 0
    for (;;) {
      const { count } = await operator.purge(operatorCall(), { domain: operands[0] ?? '' })
      if (count === 0) break
      removed += count
    }
    return { lines: [`${counted(removed, 'person is', 'people are')} removed.`], json: { count: removed } }
  },
}

const lineOfFailed = ({ id, actorUri, failedAtMilliseconds, error }: FailedActivity): string =>
  [time(failedAtMilliseconds), id, `of ${actorUri}`, error].join('  ')

const failed: Subcommand = {
  usage: 'failed [domain]',
  summary: 'Lists the oldest 200 activities of other servers that failed for the last time, of one server when it is named.',
  async run(servers, { operands }) {
    const { activities } = await (await federationOf(servers)).listFailedActivities(operatorCall(), { domain: operands[0] ?? '' })
    return { lines: activities.length > 0 ? activities.map(lineOfFailed) : ['There are none.'], json: activities }
  },
}

const replay: Subcommand = {
  usage: 'replay [domain]',
  summary: 'Works activities that failed again, of one server when it is named. What fails again is listed again.',
  async run(servers, { operands }) {
    const { count } = await (await federationOf(servers)).replayActivities(operatorCall(), { domain: operands[0] ?? '' })
    return { lines: [`${counted(count, 'activity is', 'activities are')} worked again.`], json: { count } }
  },
}

const rotateKey: Subcommand = {
  usage: 'rotate-key [username]',
  summary: 'Makes a new key for a person of this server, or for the server itself when none is named.',
  async run(servers, { operands }) {
    const key = await (await federationOf(servers)).rotateKey(operatorCall(), { username: operands[0] ?? '' })
    return { lines: [`${key.keyId} is new.`], json: key }
  },
}

const lineOfRelay = ({ inbox, state, createdAtMilliseconds }: Relay): string => [inbox, state, time(createdAtMilliseconds)].join('  ')

const relays: Subcommand = {
  usage: 'relays',
  summary: 'Lists relays, which pass public statuses on between servers, and whether they accepted.',
  async run(servers) {
    const { relays: found } = await (await relaysOf(servers)).list(operatorCall(), {})
    return { lines: found.length > 0 ? found.map(lineOfRelay) : ['There are none.'], json: found }
  },
}

const addRelay: Subcommand = {
  usage: 'add-relay <inbox>',
  summary: 'Asks a relay for a subscription, by the address of its inbox. One that did not accept is asked again.',
  async run(servers, { operands }) {
    const relay = await (await relaysOf(servers)).add(operatorCall(), { inbox: operands[0] ?? '', staffId: '' })
    const isAccepted = relay.state === 'accepted'
    return { lines: [isAccepted ? `${relay.inbox} has accepted already.` : `${relay.inbox} is asked.`], json: relay }
  },
}

const removeRelay: Subcommand = {
  usage: 'remove-relay <inbox>',
  summary: 'Ends the subscription to a relay.',
  async run(servers, { operands }) {
    const client = await relaysOf(servers)
    const { relays: found } = await client.list(operatorCall(), {})
    const relay = found.find(({ inbox }) => inbox === operands[0])
    if (!relay) throw new Error(`${operands[0]} is not a relay of this server.`)
    await client.remove(operatorCall(), { id: relay.id, staffId: '' })
    return { lines: [`The subscription to ${relay.inbox} is ended.`], json: relay }
  },
}

export const FEDERATION_COMMANDS: readonly Subcommand[] = [
  peers,
  deliveries,
  retry,
  drop,
  failed,
  replay,
  refresh,
  purge,
  rotateKey,
  relays,
  addRelay,
  removeRelay,
]
