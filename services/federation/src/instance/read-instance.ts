import type { InstanceCard } from '@rookery/contracts/federation'
import type { AccountsDefinition, AccountView, DiscoveryDefinition, Figures } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { Failure } from '@rookery/failures'
import type { Call, Client } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'
import type { Clock, Logger } from '@rookery/runtime'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import type { CountPeers } from '../peers/index.ts'
import { cachedFor } from './cached-for.ts'
import { rulesOf, textsOf } from './instance.rules.ts'
import { InstanceReader } from './instance.store.ts'

/** The clients of statuses that the instance document uses. */
export type StatusesClients = { accounts: Client<typeof AccountsDefinition>; discovery: Client<typeof DiscoveryDefinition> }

type Deps = {
  database: Database<FederationTables>
  statuses: StatusesClients
  countPeers: CountPeers
  clock: Clock
  log: Logger
  config: FederationConfig
}

const MINUTE = 60_000
const SECONDS_TO_ANSWER = 5

/** Callers share the result, so the call does not end with one of their requests. */
const sharedCall = () => callWithin(SECONDS_TO_ANSWER)

/** The account with this name; undefined if there is none. */
export const lookup = async (
  accounts: StatusesClients['accounts'],
  acct: string,
  call: Call = sharedCall(),
): Promise<AccountView | undefined> => {
  if (!acct) return undefined
  try {
    return await accounts.lookup(call, { acct })
  } catch (error) {
    if (error instanceof Failure && error.kind === 'not_found') return undefined
    throw error
  }
}

/**
 * The instance document (spec, Instance). Texts and rules are read each time. Counts of users, statuses and peers, and the contact's
 * account, are cached for a minute; while statuses is unavailable, its last values are used. @throws Failure unavailable if statuses was
 * never reachable
 */
export const readInstance = ({ database, statuses, countPeers, clock, log, config }: Deps) => {
  const reader = new InstanceReader(database.db)
  const remember = <Value>(read: () => Promise<Value>) =>
    cachedFor({
      milliseconds: MINUTE,
      now: clock.now,
      read,
      onStale: (error) => log.warn({ err: error }, 'reading instance statistics failed, serving older ones'),
    })
  const counts = remember<Figures>(() => statuses.discovery.readFigures(sharedCall(), { weeksSinceSeconds: 0 }))
  const peers = remember(countPeers)
  const contactName = async () => textsOf(await reader.texts(), config).contact_account
  const contact = remember<AccountView | undefined>(async () => lookup(statuses.accounts, await contactName()))

  return async (): Promise<InstanceCard> => {
    const [{ texts: stored, pictures, hasTerms, ...rules }, counted, peerCount, contactAccount] = await Promise.all([
      reader.instance(),
      counts(),
      peers(),
      contact(),
    ])
    const texts = textsOf(stored, config)
    return {
      title: texts.title,
      shortDescription: texts.short_description,
      description: texts.description,
      contactEmail: texts.contact_email,
      contactAccount,
      languages: config.languages,
      people: counted.people,
      statuses: counted.statuses,
      peers: peerCount,
      activeMonth: counted.activeMonth,
      activeHalfYear: counted.activeHalfYear,
      rules: rulesOf(rules, config),
      hasTerms,
      pictures,
      color: texts.color,
    }
  }
}
