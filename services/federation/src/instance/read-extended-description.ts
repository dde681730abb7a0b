import type { ExtendedDescription } from '@rookery/contracts/federation'
import type { Database } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import { readDatedText } from './dated-text.ts'

type Deps = { database: Database<FederationTables>; config: FederationConfig; clock: Clock }

/** The extended description as HTML (spec, ExtendedDescription), with the time of its last change; no time if there is none. */
export const readExtendedDescription = (deps: Deps) => {
  const read = readDatedText(deps)
  return async (): Promise<ExtendedDescription> =>
    (await read('extended_description', deps.config.extendedDescription)) ?? { content: '', updatedAtMilliseconds: undefined }
}
