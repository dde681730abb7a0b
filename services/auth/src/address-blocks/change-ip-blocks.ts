import type { IpBlockSettings } from '@rookery/contracts/auth'
import { type Database, isUniqueViolation, type Tx, transact, transactOnce } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { IpBlockRow } from '../database/tables/address-block.ts'
import type { LogAct } from '../log-act.ts'
import { ipBlockColumns, newIpBlock, refuseOwnAddress } from './ip-block.rules.ts'
import { addIpBlock, changeIpBlock as changeRow, removeIpBlock } from './ip-block.store.ts'
import { requestPublishing } from './publish-barred-networks.job.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logAct: LogAct }

const taken = () => invalid('Ip has already been taken')

/** Logs an action on a block, and requests publishing the networks without access. */
const acted = async (tx: Tx<AuthTables>, { logAct }: Pick<Deps, 'logAct'>, act: Parameters<LogAct>[1]) => {
  await logAct(tx, act)
  await requestPublishing(tx)
}

/** Blocks a network and returns the block's id (beyond-the-spec 2.6). @throws Failure invalid, also if it is already blocked */
export const createIpBlock =
  (deps: Deps) =>
  async (call: Call, settings: IpBlockSettings): Promise<string> => {
    const block = newIpBlock(settings, deps.clock.now())
    const id = await transactOnce(deps.database.db, { call, step: 'create-ip-block' }, async (tx) => {
      const added = await addIpBlock(tx, block)
      if (added) await acted(tx, deps, { staffId: settings.staffId, action: 'create_ip_block', target: block.network })
      return added
    })
    if (!id) throw taken()
    return id
  }

/** Changes a block. @throws Failure not_found, invalid */
export const changeIpBlock =
  (deps: Deps) =>
  async (id: string, settings: IpBlockSettings): Promise<IpBlockRow> => {
    const changes = ipBlockColumns(settings, deps.clock.now())
    try {
      return await transact(deps.database.db, async (tx) => {
        const changed = orNotFound(await changeRow(tx, id, changes))
        refuseOwnAddress(changed, settings.callerAddress)
        await acted(tx, deps, { staffId: settings.staffId, action: 'change_ip_block', target: changed.network })
        return changed
      })
    } catch (error) {
      throw isUniqueViolation(error, 'ip_block_network') ? taken() : error
    }
  }

/** Deletes a block. @throws Failure not_found */
export const deleteIpBlock =
  (deps: Deps) =>
  async (call: Call, { id, staffId }: { id: string; staffId: string }): Promise<void> => {
    const remove = async (tx: Tx<AuthTables>) => {
      const network = await removeIpBlock(tx, id)
      if (network !== undefined) await acted(tx, deps, { staffId, action: 'delete_ip_block', target: network })
      return network
    }
    orNotFound(await transactOnce(deps.database.db, { call, step: 'delete-ip-block' }, remove))
  }
