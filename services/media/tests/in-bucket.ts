import { Secret } from '@rookery/runtime'
import type { TestBucket } from '@rookery/test-stores'
import { bucketStorage } from '../src/storage/bucket.ts'
import type { Storage } from '../src/storage/index.ts'

/** Media's storage in a test's bucket. */
export const inBucket = (store: TestBucket): Storage => bucketStorage({ ...store, key: new Secret(store.key), authority: undefined })
