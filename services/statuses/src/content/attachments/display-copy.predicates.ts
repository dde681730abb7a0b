import { type RawBuilder, sql } from 'kysely'
import type { StoredAttachment } from '../../database/tables/status.ts'

/** The column `attachments` with one display copy changed. */
export const withCopyChanged = (mediaId: string, change: Partial<StoredAttachment>): RawBuilder<unknown> => sql`(
  select jsonb_agg(case when value ->> 'id' = ${mediaId}::text then value || ${JSON.stringify(change)}::jsonb else value end order by place)
  from jsonb_array_elements(attachments) with ordinality as file (value, place))`

/** Whether the column `attachments` has the display copy of a file. */
export const hasCopyOf = (mediaId: string): RawBuilder<boolean> => sql`attachments @> ${JSON.stringify([{ id: mediaId }])}::jsonb`
