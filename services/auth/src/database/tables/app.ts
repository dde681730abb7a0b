import type { Generated } from 'kysely'

/** A program people use Rookery with. */
export type AppTable = {
  id: string
  client_id: string
  /** SHA-256 of the client secret. */
  secret_digest: Buffer
  name: string
  website: string
  redirect_uris: string[]
  scopes: string[]
  /** The app that holds the tokens made by the operator's command. */
  is_operators: boolean
  created_at: Date
  /** Given in the order apps come. */
  number: Generated<string>
}
