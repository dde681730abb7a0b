import type { Database } from '@rookery/database'
import type { FederationTables } from '../database/schema.ts'
import { PeerReader } from './peer.store.ts'

/** How many servers this one has heard of. */
export type CountPeers = () => Promise<number>
/** Their domains, in alphabetical order (spec, GET /api/v1/instance/peers). */
export type ReadPeers = () => Promise<string[]>

/** What is known of other servers. */
export const peers = ({ database }: { database: Database<FederationTables> }): { countPeers: CountPeers; readPeers: ReadPeers } => {
  const reader = new PeerReader(database.db)
  return { countPeers: () => reader.count(), readPeers: () => reader.domains() }
}
