import { type Database, transact } from '@rookery/database'
import type { RemoteActor } from '../contract.ts'
import type { FederationTables } from '../database/schema.ts'
import { isSameHost } from '../host.rules.ts'
import { type Activity, followsOfRelays, type Places } from '../vocabulary/index.ts'
import { RelayWriter, readIsRelay, readRelayInboxes } from './relay.store.ts'

/** What activities ask about relays. */
export type Relays = {
  /** Whether an actor is that of a relay with an accepted subscription. */
  isRelay(actor: Pick<RemoteActor, 'uri'>): Promise<boolean>
  /** The inboxes of relays with an accepted subscription. */
  inboxes(): Promise<string[]>
  /** Applies the answer of a relay to our request. Returns whether the activity answers such a request. */
  answer(activity: Activity, signer: Pick<RemoteActor, 'uri'>): Promise<boolean>
}

/** Reads and answers of relays. An answer counts only from the host of the relay's inbox. */
export const createRelays = ({ database, at }: { database: Database<FederationTables>; at: Places }): Relays => ({
  isRelay: async ({ uri }) => (await readIsRelay(database, { actorUri: uri }))[0]?.isRelay ?? false,
  inboxes: async () => (await readRelayInboxes(database, {})).map(({ inbox }) => inbox),
  async answer({ type, object }, signer) {
    if (!['Accept', 'Reject'].includes(type) || !object.uri.startsWith(followsOfRelays(at))) return false
    await transact(database.db, async (tx) => {
      const relays = new RelayWriter(tx)
      const relay = await relays.byFollow(object.uri)
      if (!relay || !isSameHost(relay.inbox, signer.uri)) return
      const isAccepted = type === 'Accept'
      await relays.answer(relay.id, { state: isAccepted ? 'accepted' : 'rejected', actorUri: isAccepted ? signer.uri : null })
    })
    return true
  },
})
