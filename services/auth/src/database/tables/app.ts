import type { Generated } from 'kysely'

/** A client application. */
export type AppTable = {
  id: string
  clientId: string
  /** SHA-256 of the client secret. */
  secretDigest: Buffer
  name: string
  website: string
  redirectUris: string[]
  scopes: string[]
  /** The app that owns the tokens created by operators. */
  isOperators: boolean
  createdAt: Date
  /** Ascending by creation. */
  number: Generated<string>
  /** When staff removed it; the row is deleted once its tokens are. */
  removedAt: Generated<Date | null>
}
