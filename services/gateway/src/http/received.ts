import type { Values } from './values.ts'

/** A file of a multipart body, kept in a temporary file: its other parameters may come after it. */
export type UploadedFile = { path: string; name: string; contentType: string }

/** What a request carries in its body: parameters, and files by parameter name. Close it when the request is done. */
export type Body = { values: Values; files: ReadonlyMap<string, UploadedFile>; close(): Promise<void> }
