import { type StaffApp, StaffAppsDefinition } from '@rookery/contracts/auth'
import { PAGE_SIZES } from '@rookery/contracts/limits'
import { cursorsOf, escapeLike, pageWithin } from '@rookery/database'
import { type Handler, handler } from '@rookery/rpc'
import { removeApp } from './remove-app.ts'
import { COUNTED_TOKENS, findApps, readApps, type StaffAppRow } from './staff-app.store.ts'

const messageOf = ({ createdAt, tokens, ...app }: StaffAppRow): StaffApp => ({
  ...app,
  createdAtMilliseconds: createdAt.getTime(),
  tokens: Math.min(tokens, COUNTED_TOKENS),
  hasMoreTokens: tokens > COUNTED_TOKENS,
})

/** The service StaffApps of the contract. */
export const createStaffAppsRpc = (deps: Parameters<typeof removeApp>[0]): Handler =>
  handler(StaffAppsDefinition, {
    async list(_call, { query, page: asked }) {
      const page = pageWithin(PAGE_SIZES.staff, asked)
      const text = query.trim()
      const rows = text
        ? await findApps(deps.database, { page, pattern: `%${escapeLike(text)}%` })
        : await readApps(deps.database, { page })
      const found = cursorsOf(page, rows, ({ id }) => id)
      return { apps: found.rows.map(messageOf), cursors: found.cursors }
    },
    remove: removeApp(deps),
  })
