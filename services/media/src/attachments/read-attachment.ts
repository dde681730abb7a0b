import type { Database } from '@rookery/database'
import { orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { MediaTables } from '../database/schema.ts'
import type { AttachmentRow } from '../database/tables/attachment.ts'
import { AttachmentReader } from './attachment.store.ts'

/** Reads a file's record (spec, GET /api/v1/media/:id). @throws Failure not_found if it is missing or another's */
export const readAttachment =
  ({ database }: { database: Database<MediaTables> }) =>
  async (request: { id: string; ownerId: string }): Promise<AttachmentRow> =>
    orNotFound(isId(request.id) ? await new AttachmentReader(database.db).find(request.id, request.ownerId) : undefined)
