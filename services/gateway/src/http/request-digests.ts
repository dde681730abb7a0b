import { createHash, createHmac } from 'node:crypto'
import { deriveKey } from '@rookery/encryption'
import { readChunks } from '@rookery/handles'
import type { UploadedFile, Values } from '@rookery/http'

/** A request with an Idempotency-Key: the key, the caller (by token, or by address without one), the route, parameters and files. */
export type Asking = {
  readonly key: string
  readonly by: { readonly token: string } | { readonly address: string }
  /** The method and the path. */
  readonly route: string
  readonly values: Values
  readonly files: ReadonlyMap<string, UploadedFile>
}

/** JSON with sorted object keys, so that the order of parameters does not matter. */
const orderedJson = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

const CHUNK = 256 * 1024

const digestOfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of readChunks(path, { size: CHUNK })) hash.update(chunk)
  return hash.digest('base64')
}

const describedFiles = async (files: ReadonlyMap<string, UploadedFile>) => {
  const described: string[][] = []
  for (const [field, { path, name, contentType }] of files) described.push([field, name, contentType, await digestOfFile(path)])
  return described.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
}

/**
 * The digest that identifies a request, the digest of its content, and the key that encrypts its answer. All three are derived from the
 * token and the Idempotency-Key, which only the client has: the stored data reveals neither these, nor the request or its answer. A
 * multipart body is identified by its parameters and files, since its boundary differs each time.
 */
export const digestsOf = async ({ key, by, route, values, files }: Asking) => {
  const secret = JSON.stringify([by, route, key])
  const { access_token: _token, ...parameters } = values
  const content = orderedJson([parameters, await describedFiles(files)])
  return {
    request: deriveKey(secret, 'request'),
    content: createHmac('sha256', deriveKey(secret, 'content')).update(content).digest(),
    answerKey: deriveKey(secret, 'answer'),
  }
}
