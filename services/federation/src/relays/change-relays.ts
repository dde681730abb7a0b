import { randomUUID } from 'node:crypto'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { Deliver } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { MAX_INBOX } from '../deliveries/index.ts'
import { hostOf } from '../host.rules.ts'
import type { MaySpeak } from '../policy/index.ts'
import { staffActed } from '../staff-acted.ts'
import { followsOfRelays, PUBLIC, payloadOf, places, renderAct } from '../vocabulary/index.ts'
import { type RelayRow, RelayWriter } from './relay.store.ts'

export type ChangeRelaysDeps = {
  database: Database<FederationTables>
  outbox: Outbox
  deliver: Deliver
  maySpeak: MaySpeak
  clock: Clock
  config: { baseUrl: string; allowsPrivate: boolean }
}

const MAX_RELAYS = 20

/** The address of a relay's inbox as typed. @throws Failure invalid */
const inboxOf = ({ baseUrl, allowsPrivate }: ChangeRelaysDeps['config'], typed: string): URL => {
  const url = URL.parse(typed.trim())
  const isAllowed = url?.protocol === 'https:' || (allowsPrivate && url?.protocol === 'http:')
  if (!url || !isAllowed || hostOf(url.href) === undefined || url.username || url.password || url.href.length > MAX_INBOX)
    throw invalid('Inbox is not a valid URL')
  if (url.host === new URL(baseUrl).host) throw invalid('Inbox is not a URL of another server')
  url.hash = ''
  return url
}

/** The request for a subscription: relays take a follow of everything public by the server's own actor. */
const followOf = (uri: string, actor: string) => renderAct('Follow', { id: uri, actor, object: PUBLIC })

/**
 * Asks a relay for a subscription, and returns it. One that accepted stays as it is; one that did not is asked again.
 * @throws Failure invalid for an address that cannot be used, and with twenty relays
 */
export const addRelay =
  ({ database, outbox, deliver, maySpeak, clock, config }: ChangeRelaysDeps) =>
  async (typed: string, staffId: string): Promise<RelayRow> => {
    const url = inboxOf(config, typed)
    if (!(await maySpeak(url.host))) throw invalid('Inbox is not a URL of a server that this one speaks with')
    const inbox = url.href
    const at = places(config.baseUrl)
    return transact(database.db, async (tx) => {
      const relays = new RelayWriter(tx)
      const known = await relays.byInbox(inbox)
      if (known?.state === 'accepted') return known
      if (!known && (await relays.count()) >= MAX_RELAYS) throw invalid(`There are ${MAX_RELAYS} relays already`)
      const followUri = `${followsOfRelays(at)}${randomUUID()}`
      await deliver(tx, { ...payloadOf(followOf(followUri, at.instanceActor)), senderId: '', inboxes: [inbox] })
      await outbox.append(tx, [staffActed({ staffId, action: 'create_relay', target: inbox })])
      return relays.ask({ inbox, followUri, now: new Date(clock.now()) })
    })
  }

/** Ends the subscription to a relay, and returns it. @throws Failure not_found */
export const removeRelay =
  ({ database, outbox, deliver, config }: ChangeRelaysDeps) =>
  async (id: string, staffId: string): Promise<RelayRow> => {
    const actor = places(config.baseUrl).instanceActor
    return transact(database.db, async (tx) => {
      const relay = orNotFound(await new RelayWriter(tx).remove(id))
      const { inbox, followUri } = relay
      const undo = renderAct('Undo', { id: `${followUri}/undo`, actor, object: followOf(followUri, actor) })
      await deliver(tx, { ...payloadOf(undo), senderId: '', inboxes: [inbox], endsFollow: true })
      await outbox.append(tx, [staffActed({ staffId, action: 'delete_relay', target: inbox })])
      return relay
    })
  }
