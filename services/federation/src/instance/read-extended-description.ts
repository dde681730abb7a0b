import type { ExtendedDescription } from '@rookery/contracts/federation'
import type { Database } from '@rookery/database'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import { paragraphs, textsOf } from './instance.rules.ts'
import { InstanceReader } from './instance.store.ts'

type Given = { database: Database<FederationTables>; config: FederationConfig; readAt: number }

/** The long description as HTML (spec, ExtendedDescription). A text of the settings is as old as this process's reading of them. */
export const readExtendedDescription =
  ({ database, config, readAt }: Given) =>
  async (): Promise<ExtendedDescription> => {
    const stored = await new InstanceReader(database.db).texts()
    const own = stored.find(({ name }) => name === 'extended_description')
    return {
      updatedAtMilliseconds: own?.updated_at.getTime() ?? readAt,
      content: paragraphs(textsOf(stored, config).extended_description),
    }
  }
