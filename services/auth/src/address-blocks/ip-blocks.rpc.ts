import { type IpBlock, type IpBlockSettings, IpBlocksDefinition } from '@rookery/contracts/auth'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, isUniqueViolation, pageWithin, type Tx, transact, transactOnce } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { IpBlockRow } from '../database/tables/address-block.ts'
import type { LogAct } from '../log-act.ts'
import { contains, networkOf, severityOf } from './address.rules.ts'
import { addIpBlock, changeIpBlock, readIpBlock, readIpBlockPage, removeIpBlock } from './ip-block.store.ts'
import { barredNetworks } from './judge-address.ts'
import { requestPublishing } from './publish-barred-networks.job.ts'

/** Later than any block is meant to last, and a moment that Postgres knows. */
const MAX_SECONDS = 100 * 366 * 86_400

const viewOf = ({ id, network, severity, comment, createdAt, expiresAt }: IpBlockRow): IpBlock => ({
  id,
  network,
  severity,
  comment,
  createdAtMilliseconds: createdAt.getTime(),
  expiresAtMilliseconds: expiresAt?.getTime(),
})

/** The columns of what is said. @throws Failure invalid naming every fault */
const columnsOf = (settings: IpBlockSettings, now: number) => {
  const network = settings.network === undefined ? undefined : networkOf(settings.network)
  const severity = settings.severity === undefined ? undefined : severityOf(settings.severity)
  const faults = [
    ...(settings.network !== undefined && !network ? ['Ip is invalid'] : []),
    ...(settings.severity !== undefined && !severity ? ['Severity is not included in the list'] : []),
  ]
  if (faults.length > 0) throw invalid(...faults)
  const seconds = settings.expiresInSeconds
  return {
    ...(network && { network }),
    ...(severity && { severity }),
    ...(settings.comment !== undefined && { comment: settings.comment }),
    ...(seconds !== undefined && { expiresAt: seconds > 0 ? new Date(now + Math.min(seconds, MAX_SECONDS) * 1000) : null }),
  }
}

/** @throws Failure invalid for a block that would leave no one there to end it */
const refuseOwn = ({ network, severity }: Pick<IpBlockRow, 'network' | 'severity'>, callerAddress: string) => {
  if (severity === 'no_access' && contains(network, callerAddress)) throw invalid('Ip contains your own address')
}

/** @throws Failure invalid */
const newBlock = (settings: IpBlockSettings, now: number) => {
  const named = { ...settings, network: settings.network ?? '', severity: settings.severity ?? '' }
  const { network, severity, ...columns } = columnsOf(named, now)
  if (!network || !severity) throw invalid('Ip is invalid')
  refuseOwn({ network, severity }, settings.callerAddress)
  return { expiresAt: null, ...columns, network, severity, createdAt: new Date(now) }
}

const taken = () => invalid('Ip has already been taken')

/** The service `IpBlocks` (beyond-the-spec 2.6). */
export const ipBlocksRpc = ({ database, clock, logAct }: { database: Database<AuthTables>; clock: Clock; logAct: LogAct }): Handler => {
  const done = async (tx: Tx<AuthTables>, act: Parameters<LogAct>[1]) => {
    await logAct(tx, act)
    await requestPublishing(tx)
  }
  const read = async (id: string) => viewOf(orNotFound((await readIpBlock(database, { id }))[0]))
  return handler(IpBlocksDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readIpBlockPage(database, { page }), (row) => row.id)
      return { blocks: rows.map(viewOf), cursors }
    },
    read: (_call, { id }) => read(id),
    async create(call, settings) {
      const block = newBlock(settings, clock.now())
      const id = await transactOnce(database.db, { call, step: 'create-ip-block' }, async (tx) => {
        const added = await addIpBlock(tx, block)
        if (added) await done(tx, { staffId: settings.staffId, action: 'create_ip_block', target: block.network })
        return added
      })
      if (!id) throw taken()
      return read(id)
    },
    async change(_call, { id, settings }) {
      const changes = columnsOf(settings ?? { callerAddress: '', staffId: '' }, clock.now())
      try {
        const row = await transact(database.db, async (tx) => {
          const changed = orNotFound(await changeIpBlock(tx, id, changes))
          refuseOwn(changed, settings?.callerAddress ?? '')
          await done(tx, { staffId: settings?.staffId ?? '', action: 'change_ip_block', target: changed.network })
          return changed
        })
        return viewOf(row)
      } catch (error) {
        throw isUniqueViolation(error, 'ip_block_network') ? taken() : error
      }
    },
    async delete(call, { id, staffId }) {
      const remove = async (tx: Tx<AuthTables>) => {
        const network = await removeIpBlock(tx, id)
        if (network !== undefined) await done(tx, { staffId, action: 'delete_ip_block', target: network })
        return network
      }
      orNotFound(await transactOnce(database.db, { call, step: 'delete-ip-block' }, remove))
      return {}
    },
    readBarred: async () => ({ networks: await barredNetworks(database, clock) }),
  })
}
