import { type EmailDomainBlock, EmailDomainBlocksDefinition } from '@rookery/contracts/auth'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import { type Clock, dayOf } from '@rookery/runtime'
import type { AuthTables } from '../database/schema.ts'
import type { EmailDomainBlockRow } from '../database/tables/address-block.ts'
import type { LogAct } from '../log-act.ts'
import { createEmailDomainBlock, deleteEmailDomainBlock } from './change-email-domain-blocks.ts'
import { DAY, HISTORY_DAYS } from './days.ts'
import { readEmailDomainBlock, readEmailDomainBlockPage, readUses } from './email-domain-block.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; logAct: LogAct }

/** Adds the history of refused sign-ups to blocks, in one statement for all. */
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

/** The service EmailDomainBlocks (beyond-the-spec 2.6). */
export const createEmailDomainBlocksRpc = (deps: Deps): Handler => {
  const { database } = deps
  const create = createEmailDomainBlock(deps)
  const remove = deleteEmailDomainBlock(deps)
  const read = async (id: string) => orNotFound((await withHistory(deps, await readEmailDomainBlock(database, { id })))[0])
  return handler(EmailDomainBlocksDefinition, {
    async list(_call, request) {
      const page = pageWithin(PAGE_SIZES.domains, request.page)
      const { rows, cursors } = cursorsOf(page, await readEmailDomainBlockPage(database, { page }), (row) => row.id)
      return { blocks: await withHistory(deps, rows), cursors }
    },
    read: (_call, { id }) => read(id),
    create: async (call, request) => read(await create(call, request)),
    async delete(call, request) {
      await remove(call, request)
      return {}
    },
  })
}
