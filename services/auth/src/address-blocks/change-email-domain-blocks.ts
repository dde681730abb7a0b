import { type Database, type Tx, transactOnce } from '@rookery/database'
import { typedDomain } from '@rookery/domain-names'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { LogAct } from '../log-act.ts'
import { addEmailDomainBlock, removeEmailDomainBlock } from './email-domain-block.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logAct: LogAct }

/** Blocks an e-mail domain and returns the block's id (beyond-the-spec 2.6). @throws Failure invalid, also if it is already blocked */
export const createEmailDomainBlock =
  ({ database, clock, logAct }: Deps) =>
  async (call: Call, request: { domain: string; staffId: string }): Promise<string> => {
    const domain = typedDomain(request.domain)
    const id = await transactOnce(database.db, { call, step: 'create-email-domain-block' }, async (tx) => {
      const added = await addEmailDomainBlock(tx, { domain, createdAt: new Date(clock.now()) })
      if (added) await logAct(tx, { staffId: request.staffId, action: 'create_email_domain_block', target: domain })
      return added
    })
    if (!id) throw invalid('Domain has already been taken')
    return id
  }

/** Deletes a block. @throws Failure not_found */
export const deleteEmailDomainBlock =
  ({ database, logAct }: Pick<Deps, 'database' | 'logAct'>) =>
  async (call: Call, { id, staffId }: { id: string; staffId: string }): Promise<void> => {
    const remove = async (tx: Tx<AuthTables>) => {
      const domain = await removeEmailDomainBlock(tx, id)
      if (domain !== undefined) await logAct(tx, { staffId, action: 'delete_email_domain_block', target: domain })
      return domain
    }
    orNotFound(await transactOnce(database.db, { call, step: 'delete-email-domain-block' }, remove))
  }
