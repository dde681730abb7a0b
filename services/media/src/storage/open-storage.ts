import { bucketStorage } from './bucket.ts'
import { diskStorage } from './disk.ts'
import { movingStorage } from './moving.ts'
import type { BucketOptions, Storage } from './storage.ts'

/** The kind of storage: a folder, a bucket, or a migration from the folder to the bucket. */
export type Keeping = { kind: 'disk'; folder: string } | { kind: 'bucket'; bucket: BucketOptions } | Moving
/** Both ends of a migration. */
export type Moving = { kind: 'moving'; folder: string; bucket: BucketOptions }

/** Opens the configured storage, without a request to it. */
export const openStorage = (keeping: Keeping): Storage => {
  if (keeping.kind === 'disk') return diskStorage({ folder: keeping.folder })
  const bucket = bucketStorage(keeping.bucket)
  return keeping.kind === 'bucket' ? bucket : movingStorage({ from: diskStorage({ folder: keeping.folder }), to: bucket })
}
