import { prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'

/** Of some tag names, those that staff disabled for new statuses. */
export const unusableTags = (names: RawBuilder<unknown>): RawBuilder<string[]> =>
  sql<string[]>`array(select name from tag where name = any(${names}) and not is_usable)`

export const readUnusableTags = prepared(
  'text.unusable-tags',
  ({ names }: { names: readonly string[] }) => sql<{ names: string[] }>`select ${unusableTags(sql`${names}::text[]`)} names`,
)
