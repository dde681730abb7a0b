export { diskStorage } from './disk.ts'
export { type Keeping, openStorage } from './open-storage.ts'
export {
  type BucketOptions,
  contentTypeOf,
  type Extension,
  isPublicKey,
  MISSING_FILE,
  makeKey,
  type Storage,
  type StoredFile,
} from './storage.ts'
