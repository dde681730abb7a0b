import type { ExtendedDescription } from '@rookery/contracts/federation'
import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { FederationConfig } from '../config.ts'
import type { FederationTables } from '../database/schema.ts'
import { paragraphs } from './instance.rules.ts'
import { InstanceReader, InstanceWriter } from './instance.store.ts'

type Deps = { database: Database<FederationTables>; config: FederationConfig; clock: Clock }

const NAME = 'extended_description'

/**
 * The long description as HTML (spec, ExtendedDescription), with the date of its last change; no date when none is set. A text of the
 * settings changes when a process first reads it with other words.
 */
export const readExtendedDescription = ({ database, config, clock }: Deps) => {
  const reader = new InstanceReader(database.db)

  const configuredSince = async (value: string): Promise<Date> => {
    const known = await reader.configuredText(NAME)
    if (known?.value === value) return known.changedAt
    const changedAt = new Date(clock.now())
    return transact(database.db, (tx) => new InstanceWriter(tx).keepConfiguredText({ name: NAME, value, changedAt }))
  }

  return async (): Promise<ExtendedDescription> => {
    const own = (await reader.texts()).find(({ name }) => name === NAME)
    const value = own?.value ?? config.extendedDescription
    const content = paragraphs(value)
    if (!content) return { content, updatedAtMilliseconds: undefined }
    return { content, updatedAtMilliseconds: (own?.updatedAt ?? (await configuredSince(value))).getTime() }
  }
}
