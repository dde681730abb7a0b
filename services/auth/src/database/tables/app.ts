import type { Generated } from 'kysely'

/** A program people use Rookery with. */
export type AppTable = {
  id: string
  clientId: string
  /** SHA-256 of the client secret. */
  secretDigest: Buffer
  name: string
  website: string
  redirectUris: string[]
  scopes: string[]
  /** The app that holds the tokens made by the operator's command. */
  isOperators: boolean
  createdAt: Date
  /** Given in the order apps come. */
  number: Generated<string>
  /** When staff removed it; its row goes once its tokens are gone. */
  removedAt: Generated<Date | null>
}
