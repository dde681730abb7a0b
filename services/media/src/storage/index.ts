export { diskStorage } from './disk.ts'
export { contentTypeOf, type Extension, isKey, MISSING_FILE, makeKey, type Storage, type StoredFile } from './storage.ts'
