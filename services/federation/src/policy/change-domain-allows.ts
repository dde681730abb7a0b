import { type Database, transact } from '@rookery/database'
import { otherServer } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import { staffActed } from '../staff-acted.ts'
import { addAllow, type DomainAllowRow, removeAllow } from './domain-allow.store.ts'

type Deps = { database: Database<FederationTables>; outbox: Outbox; clock: Clock; baseUrl: string }

/** Allows a domain and returns its entry, new or existing (spec, Admin: domain allows). @throws Failure invalid */
export const createDomainAllow =
  ({ database, outbox, clock, baseUrl }: Deps) =>
  async (typed: string, staffId: string): Promise<DomainAllowRow> => {
    const domain = otherServer(typed, baseUrl)
    return transact(database.db, async (tx) => {
      await outbox.append(tx, [staffActed({ staffId, action: 'create_domain_allow', target: domain })])
      return addAllow(tx, { domain, createdAt: new Date(clock.now()) })
    })
  }

/** Removes a domain from the allow-list and returns its entry. @throws Failure not_found */
export const deleteDomainAllow =
  ({ database, outbox }: Pick<Deps, 'database' | 'outbox'>) =>
  async (id: string, staffId: string): Promise<DomainAllowRow> => {
    const removed = await transact(database.db, async (tx) => {
      const allow = await removeAllow(tx, id)
      if (allow) await outbox.append(tx, [staffActed({ staffId, action: 'delete_domain_allow', target: allow.domain })])
      return allow
    })
    return orNotFound(removed)
  }
