import { type Database, transact } from '@rookery/database'
import { renderDocument } from '@rookery/markup'
import type { Clock } from '@rookery/runtime'
import type { FederationTables } from '../database/schema.ts'
import type { TextName } from '../database/tables/instance.ts'
import { InstanceReader, InstanceWriter } from './instance.store.ts'

type Deps = { database: Database<FederationTables>; clock: Clock }

/** HTML, and when the text last changed. */
type DatedText = { content: string; updatedAtMilliseconds: number }

/**
 * Reads a text as HTML with the time of its last change: the stored text, else that of the settings; undefined if it is empty. A text of
 * the settings counts as changed when a process first reads its new value.
 */
export const readDatedText = ({ database, clock }: Deps) => {
  const reader = new InstanceReader(database.db)

  const configuredSince = async (name: TextName, value: string): Promise<Date> => {
    const known = await reader.configuredText(name)
    if (known?.value === value) return known.changedAt
    const changedAt = new Date(clock.now())
    return transact(database.db, (tx) => new InstanceWriter(tx).keepConfiguredText({ name, value, changedAt }))
  }

  return async (wanted: TextName, configured: string): Promise<DatedText | undefined> => {
    const own = (await reader.texts()).find(({ name }) => name === wanted)
    const value = own?.value ?? configured
    const content = renderDocument(value)
    if (!content) return undefined
    return { content, updatedAtMilliseconds: (own?.updatedAt ?? (await configuredSince(wanted, value))).getTime() }
  }
}
