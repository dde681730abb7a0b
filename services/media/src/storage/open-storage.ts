import { bucketStorage } from './bucket.ts'
import { diskStorage } from './disk.ts'
import { movingStorage } from './moving.ts'
import type { BucketOptions, Storage } from './storage.ts'

/** Where files are kept: in a folder, in a bucket, or on their way from the one to the other. */
export type Keeping = { kind: 'disk'; folder: string } | { kind: 'bucket'; bucket: BucketOptions } | Moving
/** Both ends of a move. */
export type Moving = { kind: 'moving'; folder: string; bucket: BucketOptions }

/** Opens the storage that is configured. Nothing is asked of it yet. */
export const openStorage = (keeping: Keeping): Storage => {
  if (keeping.kind === 'disk') return diskStorage({ folder: keeping.folder })
  const bucket = bucketStorage(keeping.bucket)
  return keeping.kind === 'bucket' ? bucket : movingStorage({ from: diskStorage({ folder: keeping.folder }), to: bucket })
}
