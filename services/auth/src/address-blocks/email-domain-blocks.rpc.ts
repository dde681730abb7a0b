import { type EmailDomainBlock, EmailDomainBlocksDefinition } from '@rookery/contracts/auth'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin, type Tx, transactOnce } from '@rookery/database'
import { typedDomain } from '@rookery/domain-names'
import { invalid, orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { EmailDomainBlockRow } from '../database/tables/address-block.ts'
import type { LogAct } from '../log-act.ts'
import { DAY, dayOf, HISTORY_DAYS } from './days.ts'
import {
  addEmailDomainBlock,
  readEmailDomainBlock,
  readEmailDomainBlockPage,
  readUses,
  removeEmailDomainBlock,
} from './email-domain-block.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logAct: LogAct }

/** Blocks with what they refused in the last seven days, in one statement for all. */
const withHistory = async (
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  rows: readonly EmailDomainBlockRow[],
): Promise<EmailDomainBlock[]> => {
  const today = Math.floor(clock.now() / DAY)
  const since = dayOf((today - HISTORY_DAYS + 1) * DAY)
  const uses = rows.length > 0 ? await readUses(database, { ids: rows.map(({ id }) => id), since }) : []
  const byDay = new Map(uses.map((use) => [`${use.blockId} ${use.day}`, use]))
  return rows.map(({ id, domain, createdAt }) => ({
    id,
    domain,
    createdAtMilliseconds: createdAt.getTime(),
    history: Array.from({ length: HISTORY_DAYS }, (_, back) => {
      const milliseconds = (today - back) * DAY
      const { addresses = 0, uses: count = 0 } = byDay.get(`${id} ${dayOf(milliseconds)}`) ?? {}
      return { daySeconds: milliseconds / 1000, addresses, uses: count }
    }),
  }))
}

/** The service `EmailDomainBlocks` (beyond-the-spec 2.6). */
export const emailDomainBlocksRpc = (deps: Deps): Handler => {
  const { database, clock, logAct } = deps
  const read = async (id: string) => orNotFound((await withHistory(deps, await readEmailDomainBlock(database, { id })))[0])
  return handler(EmailDomainBlocksDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readEmailDomainBlockPage(database, { page }), (row) => row.id)
      return { blocks: await withHistory(deps, rows), cursors }
    },
    read: (_call, { id }) => read(id),
    async create(call, request) {
      const domain = typedDomain(request.domain)
      const id = await transactOnce(database.db, { call, step: 'create-email-domain-block' }, async (tx) => {
        const added = await addEmailDomainBlock(tx, { domain, createdAt: new Date(clock.now()) })
        if (added) await logAct(tx, { staffId: request.staffId, action: 'create_email_domain_block', target: domain })
        return added
      })
      if (!id) throw invalid('Domain has already been taken')
      return read(id)
    },
    async delete(call, { id, staffId }) {
      const remove = async (tx: Tx<AuthTables>) => {
        const domain = await removeEmailDomainBlock(tx, id)
        if (domain !== undefined) await logAct(tx, { staffId, action: 'delete_email_domain_block', target: domain })
        return domain
      }
      orNotFound(await transactOnce(database.db, { call, step: 'delete-email-domain-block' }, remove))
      return {}
    },
  })
}
