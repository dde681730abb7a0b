import { PortabilityDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { invalid } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../database/schema.ts'
import { isPortableKind, PART, PORTABLE } from './portable.store.ts'

/** What a person takes along when they leave. @throws Failure invalid for a kind there is not */
export const createPortabilityRpc = ({ database, baseUrl }: { database: Database<StatusesTables>; baseUrl: string }): Handler =>
  handler(PortabilityDefinition, {
    readRows: async (_call, { accountId, kind, afterId }) => {
      if (!isPortableKind(kind)) throw invalid('Kind is not included in the list')
      const place = kind === 'bookmarks' ? baseUrl : new URL(baseUrl).host
      const rows = await PORTABLE[kind](database, [accountId, afterId || '0', place, PART])
      return {
        rows: rows.map(([, cells]) => ({ cells })),
        lastId: rows.length < PART ? '' : (rows.at(-1)?.[0] ?? ''),
      }
    },
  })
