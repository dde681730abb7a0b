import { PortabilityDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { invalid } from '@rookery/failures'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { isPortableKind, PART, PORTABLE } from './data-export.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; baseUrl: string }

/** Serves Portability of the contract: an account's data for export. @throws Failure invalid for an unknown kind */
export const createDataExportRpc = ({ database, clock, baseUrl }: Deps): Handler =>
  handler(PortabilityDefinition, {
    readRows: async (_call, { accountId, kind, afterId }) => {
      if (!isPortableKind(kind)) throw invalid('Kind is not included in the list')
      const domain = new URL(baseUrl).host
      const wanted = { accountId, afterId: afterId || '0', domain, baseUrl, limit: PART, now: new Date(clock.now()) }
      const rows = await PORTABLE[kind](database, wanted)
      return { rows, lastId: rows.length < PART ? '' : (rows.at(-1)?.id ?? '') }
    },
  })
