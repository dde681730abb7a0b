import type { Tx } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Clock } from '@rookery/runtime'
import { attachmentProcessed } from '../attachments/index.ts'
import type { MediaTables } from '../database/schema.ts'
import { discardUnnamed } from '../reaper/index.ts'
import { type Begun, MotionWriter, type Processed } from './motion.store.ts'
import type { MotionFailure } from './motion-error.ts'

type Deps = { outbox: Outbox; clock: Clock }
const keysOf = (keys: readonly (string | null | undefined)[]) => keys.flatMap((key) => key ?? [])

/**
 * Ends a file's processing, within a transaction: as done or as failed. Files that are no longer needed are deleted, even if the record is
 * gone. Returns whether the record existed.
 */
export const endProcessing = ({ outbox, clock }: Deps) => {
  const discard = discardUnnamed({ clock })
  return {
    async finish(tx: Tx<MediaTables>, row: Begun, processed: Processed): Promise<boolean> {
      const isThere = await new MotionWriter(tx).finish(row.id, processed)
      await discard(tx, keysOf(isThere ? [row.sourceKey] : [row.sourceKey, row.originalKey]))
      if (isThere) await outbox.append(tx, [attachmentProcessed({ ...row, type: processed.type }, '')])
      return isThere
    },
    async fail(tx: Tx<MediaTables>, row: Begun, failure: MotionFailure, { asUnknown = false } = {}): Promise<boolean> {
      const keys = await new MotionWriter(tx).fail(row.id, { asUnknown })
      await discard(tx, keysOf([row.sourceKey, row.originalKey, keys?.previewKey]))
      if (keys) await outbox.append(tx, [attachmentProcessed(row, failure)])
      return keys !== undefined
    },
  }
}
