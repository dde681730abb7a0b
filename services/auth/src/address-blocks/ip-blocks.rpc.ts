import { type IpBlock, IpBlocksDefinition } from '@rookery/contracts/auth'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { IpBlockRow } from '../database/tables/address-block.ts'
import type { LogAct } from '../log-act.ts'
import { changeIpBlock, createIpBlock, deleteIpBlock } from './change-ip-blocks.ts'
import { readIpBlock, readIpBlockPage } from './ip-block.store.ts'
import { barredNetworks } from './judge-address.ts'

const viewOf = ({ id, network, severity, comment, createdAt, expiresAt }: IpBlockRow): IpBlock => ({
  id,
  network,
  severity,
  comment,
  createdAtMilliseconds: createdAt.getTime(),
  expiresAtMilliseconds: expiresAt?.getTime(),
})

/** The service IpBlocks (beyond-the-spec 2.6). */
export const createIpBlocksRpc = (deps: { database: Database<AuthTables>; clock: Clock; logAct: LogAct }): Handler => {
  const { database, clock } = deps
  const create = createIpBlock(deps)
  const change = changeIpBlock(deps)
  const remove = deleteIpBlock(deps)
  const read = async (id: string) => viewOf(orNotFound((await readIpBlock(database, { id }))[0]))
  return handler(IpBlocksDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readIpBlockPage(database, { page }), (row) => row.id)
      return { blocks: rows.map(viewOf), cursors }
    },
    read: (_call, { id }) => read(id),
    create: async (call, settings) => read(await create(call, settings)),
    change: async (_call, { id, settings }) => viewOf(await change(id, settings ?? { callerAddress: '', staffId: '' })),
    async delete(call, request) {
      await remove(call, request)
      return {}
    },
    readBarred: async () => ({ networks: await barredNetworks(database, clock) }),
  })
}
