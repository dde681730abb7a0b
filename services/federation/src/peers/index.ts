import { cachedWhenLarge } from '@rookery/batching'
import type { SearchPeersRequest } from '@rookery/contracts/federation'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { PeerReader } from './peer.store.ts'

/** The number of known servers. */
export type CountPeers = () => Promise<number>
/** Their domains, in alphabetical order (spec, GET /api/v1/instance/peers); more than a thousand are cached. */
export type ReadPeers = () => Promise<string[]>
/** Domains that begin with a text, or have a label that does, up to a limit (beyond-the-spec 2.5). */
export type SearchPeers = (request: SearchPeersRequest) => Promise<string[]>

const MANY = 1000

/** The servers known to this one. */
export const peers = ({
  database,
  clock,
}: {
  database: Database<FederationTables>
  clock: Clock
}): { countPeers: CountPeers; readPeers: ReadPeers; searchPeers: SearchPeers } => {
  const reader = new PeerReader(database.db)
  const cached = cachedWhenLarge<string[]>({ max: 1, now: clock.now, isLarge: ({ length }) => length > MANY })
  const readPeers = () => cached('', () => reader.domains())
  return {
    countPeers: () => reader.count(),
    readPeers,
    async searchPeers({ text, limit }) {
      const fits = (domain: string) => domain.startsWith(text) || domain.includes(`.${text}`)
      return (await readPeers()).filter(fits).slice(0, limit)
    },
  }
}
