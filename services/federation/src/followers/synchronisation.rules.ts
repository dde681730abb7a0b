import { createHash } from 'node:crypto'

/** The parameters of Collection-Synchronization: the digest of the followers that an account has on the receiving server (FEP-8fcf). */
type Synchronisation = { readonly collectionId: string; readonly url: string; readonly digest: string }

const BYTES = 32
const MAX_HEADER = 8192

/** An order-independent digest of followers: the SHA-256 hashes of the ids, combined by XOR; 64 hexadecimal digits. */
export const digestOf = (uris: Iterable<string>): string => {
  const combined = Buffer.alloc(BYTES)
  for (const uri of uris) {
    const hash = createHash('sha256').update(uri).digest()
    for (let index = 0; index < BYTES; index++) combined[index]! ^= hash[index]!
  }
  return combined.toString('hex')
}

/** The value of Collection-Synchronization. */
export const synchronisationHeader = ({ collectionId, url, digest }: Synchronisation): string =>
  `collectionId="${collectionId}", url="${url}", digest="${digest}"`

/** Parses Collection-Synchronization; undefined if invalid. */
export const readSynchronisation = (header: string | undefined): Synchronisation | undefined => {
  if (!header || header.length > MAX_HEADER) return undefined
  const named = new Map(Array.from(header.matchAll(/\b([a-zA-Z]+)="([^"]*)"/g), ([, name = '', value = '']) => [name, value]))
  const [collectionId, url, digest] = [named.get('collectionId'), named.get('url'), named.get('digest')?.toLowerCase()]
  return collectionId && url && digest && /^[0-9a-f]{64}$/.test(digest) ? { collectionId, url, digest } : undefined
}
