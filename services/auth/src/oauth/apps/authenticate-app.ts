import { timingSafeEqual } from 'node:crypto'
import type { Database } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf } from '../../secrets.ts'
import { type App, AppReader } from './app.store.ts'

/** The app with a client id and secret; undefined if either is wrong. */
export const authenticateApp =
  (deps: { database: Database<AuthTables> }) =>
  async (credentials: { clientId: string; clientSecret: string }): Promise<App | undefined> => {
    const app = await new AppReader(deps.database.db).findByClientId(credentials.clientId)
    return app && timingSafeEqual(app.secretDigest, digestOf(credentials.clientSecret)) ? app : undefined
  }
