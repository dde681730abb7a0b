import type { Tx } from '@rookery/database'
import { invalid } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { MediaTables } from '../database/schema.ts'
import { AttachmentWriter, type Preview } from './attachment.store.ts'

/**
 * Turns an uploaded thumbnail into the preview of the record that the transaction writes. @throws Failure invalid if it is missing or
 * another's
 */
export const takeThumbnail = async (tx: Tx<MediaTables>, { id, ownerId }: { id: string; ownerId: string }): Promise<Preview> => {
  const preview = isId(id) ? await new AttachmentWriter(tx).takeThumbnail(id, ownerId) : undefined
  if (!preview) throw invalid('Thumbnail is invalid')
  return preview
}
