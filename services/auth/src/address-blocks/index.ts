import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Clock, dayOf } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { LogAct } from '../log-act.ts'
import { createCanonicalEmailBlocksRpc } from './canonical-email-blocks.rpc.ts'
import { DAY, HISTORY_DAYS } from './days.ts'
import { forgetUses } from './email-domain-block.store.ts'
import { createEmailDomainBlocksRpc } from './email-domain-blocks.rpc.ts'
import { createIpBlocksRpc } from './ip-blocks.rpc.ts'
import { barredNetworks, isEmailBlocked, severityFor } from './judge-address.ts'
import { publishBarredNetworks } from './publish-barred-networks.job.ts'

export { isAddress } from './address.rules.ts'

type Deps = { database: Database<AuthTables>; outbox: Outbox; clock: Clock; logAct: LogAct }

/** Blocks of e-mail addresses and networks by staff, for other slices. */
export const createAddressBlocks = (deps: Deps) => ({
  isEmailBlocked: isEmailBlocked(deps),
  severityFor: severityFor(deps),
  forgetUses: (now: Date) => transact(deps.database.db, (tx) => forgetUses(tx, dayOf(now.getTime() - HISTORY_DAYS * DAY))),
  readBarred: () => barredNetworks(deps.database, deps.clock),
  jobs: [publishBarredNetworks(deps)],
  rpc: [createEmailDomainBlocksRpc(deps), createIpBlocksRpc(deps), createCanonicalEmailBlocksRpc(deps)],
})

export type AddressBlocks = ReturnType<typeof createAddressBlocks>
