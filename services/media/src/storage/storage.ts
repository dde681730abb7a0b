import { randomBytes } from 'node:crypto'
import type { ByteRange } from '@rookery/handles'
import type { Secret } from '@rookery/runtime'

/** A file as it is kept. */
export type StoredFile = {
  /** Bytes. */
  readonly size: number
  /** Reads the file, or the bytes from `start` to `end`, both included. */
  read(range?: ByteRange): AsyncIterable<Buffer>
}

/** Keeps files by key. Adapters: disk.ts, bucket.ts, and moving.ts from one to the other; each must pass storage.conformance.ts. */
export type Storage = {
  /**
   * Keeps a copy of the local file at `path`; when it resolves, the copy survives the death of the process. A repeat replaces it. Of one that
   * fails nothing is left.
   */
  put(key: string, path: string): Promise<void>
  open(key: string): Promise<StoredFile | undefined>
  /** Deletes the file and remains of an unfinished `put`; a missing one is no error. */
  remove(key: string): Promise<void>
  /** The keys that are kept and come after this one in order, so many at most: all of them, page by page. */
  keysAfter(key: string, max: number): Promise<string[]>
  /** Why it is unavailable now, or undefined. */
  fault(): Promise<string | undefined>
  /**
   * Of a storage from which files move to another: copies those whose keys come after this one, one at least, until it shall end. Says how
   * many it looked at, none when there are no more, and how many were not there yet.
   */
  copyAfter?(key: string, until: () => boolean): Promise<{ lookedAt: number; copied: number; lastKey: string }>
}

/** A bucket of a store that speaks S3. */
export type BucketOptions = {
  /** Scheme and host, maybe a port. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly keyId: string
  readonly key: Secret
  /** The file of the authority, in PEM, that alone is believed; the usual ones unless given. */
  readonly authority: string | undefined
}

const CONTENT_TYPES = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  // As other servers have it; never what was uploaded here.
  avif: 'image/avif',
  webm: 'video/webm',
  mov: 'video/quicktime',
  ogg: 'audio/ogg',
  aac: 'audio/aac',
  wav: 'audio/wav',
  // What was uploaded, until it is processed. It is never served.
  upload: 'application/octet-stream',
} as const

/** What stands in for a file that cannot be shown; it has an address beside the keys and is no key. */
export const MISSING_FILE = 'missing.png'

/** What files end in here. */
export type Extension = keyof typeof CONTENT_TYPES

const KEY = /^[0-9a-f]{32}\.(jpg|png|gif|webp|mp4|m4a|mp3|flac|avif|webm|mov|ogg|aac|wav|upload)$/

/** Whether text could be a key: nothing else reaches an adapter, so no text of a user's is ever part of a path. */
export const isKey = (text: string): boolean => KEY.test(text)

/** Whether text could be the key of a file that the public may have. */
export const isPublicKey = (text: string): boolean => isKey(text) && !text.endsWith('.upload')

/** A key that cannot be guessed. */
export const makeKey = (extension: Extension): string => `${randomBytes(16).toString('hex')}.${extension}`

/** The content type of a key's file. */
export const contentTypeOf = (key: string): string =>
  CONTENT_TYPES[key.slice(key.lastIndexOf('.') + 1) as Extension] ?? 'application/octet-stream'
