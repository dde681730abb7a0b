import { randomBytes } from 'node:crypto'
import type { ByteRange } from '@rookery/handles'
import type { Secret } from '@rookery/runtime'

/** A stored file. */
export type StoredFile = {
  /** In bytes. */
  readonly size: number
  /** Reads the file, or the bytes from `start` to `end`, both included. */
  read(range?: ByteRange): AsyncIterable<Buffer>
}

/** Stores files by key. Adapters: disk.ts, bucket.ts, and moving.ts from one to the other; each must pass storage.conformance.ts. */
export type Storage = {
  /**
   * Stores a copy of the local file at `path`; once it resolves, the copy survives a crash of the process. A repeat replaces it. A failed
   * call leaves nothing behind.
   */
  put(key: string, path: string): Promise<void>
  open(key: string): Promise<StoredFile | undefined>
  /** Deletes the file and the remains of an unfinished `put`; a missing one is not an error. */
  remove(key: string): Promise<void>
  /** Up to `max` stored keys after this one, in order: all keys, page by page. */
  keysAfter(key: string, max: number): Promise<string[]>
  /** Why it is unavailable now, or undefined. */
  fault(): Promise<string | undefined>
  /**
   * For a migration: copies files after a key, at least one, until `until` is true. Returns how many were checked, 0 at the end, and how
   * many were copied.
   */
  copyAfter?(key: string, until: () => boolean): Promise<{ lookedAt: number; copied: number; lastKey: string }>
}

/** A bucket of an S3-compatible store. */
export type BucketOptions = {
  /** Scheme and host, perhaps with a port. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly keyId: string
  readonly key: Secret
  /** The CA certificate file, in PEM, that replaces the usual ones. */
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
  // Types of other servers' files only; uploads never have these.
  avif: 'image/avif',
  webm: 'video/webm',
  mov: 'video/quicktime',
  ogg: 'audio/ogg',
  aac: 'audio/aac',
  wav: 'audio/wav',
  // An uploaded file before its processing. It is never served.
  upload: 'application/octet-stream',
} as const

/** The placeholder for a file that cannot be shown; it has a URL beside the keys but is not a key. */
export const MISSING_FILE = 'missing.png'

/** The extensions of stored files. */
export type Extension = keyof typeof CONTENT_TYPES

const KEY = /^[0-9a-f]{32}\.(jpg|png|gif|webp|mp4|m4a|mp3|flac|avif|webm|mov|ogg|aac|wav|upload)$/

/** Whether a text is a valid key: nothing else reaches an adapter, so no user input is ever part of a path. */
export const isKey = (text: string): boolean => KEY.test(text)

/** Whether a text is a valid key of a public file. */
export const isPublicKey = (text: string): boolean => isKey(text) && !text.endsWith('.upload')

/** Generates an unguessable key. */
export const makeKey = (extension: Extension): string => `${randomBytes(16).toString('hex')}.${extension}`

/** The content type of a key's file. */
export const contentTypeOf = (key: string): string =>
  CONTENT_TYPES[key.slice(key.lastIndexOf('.') + 1) as Extension] ?? 'application/octet-stream'
