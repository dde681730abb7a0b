import { ALL_SCOPES } from '@rookery/contracts/scopes'
import { type Database, transact } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf, makeSecret } from '../../secrets.ts'
import { type AppDraft, draftApp, faultsOfApp } from './app.rules.ts'
import { type App, AppReader, AppWriter } from './app.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; ids: Ids }

const add = async (deps: Deps, draft: AppDraft, isOperators: boolean): Promise<{ app: App | undefined; secret: string }> => {
  const secret = makeSecret()
  const drafted = { ...draft, id: deps.ids.next(), clientId: makeSecret(), secretDigest: digestOf(secret) }
  const createdAt = new Date(deps.clock.now())
  const app = await transact(deps.database.db, (tx) => new AppWriter(tx).add({ ...drafted, isOperators, createdAt }))
  return { app, secret }
}

/** Registers an app and answers with its secret, which is returned only this once (beyond-the-spec 1.3). @throws Failure invalid */
export const registerApp =
  (deps: Deps) => async (sent: { name: string; redirectUris: readonly string[]; scopes: string; website: string }) => {
    const draft = draftApp(sent)
    const faults = faultsOfApp(draft)
    if (faults.length > 0) throw invalid(...faults)
    const { app, secret } = await add(deps, draft, false)
    return { app: orNotFound(app), secret }
  }

const OPERATORS_APP = { name: 'rookery command', redirectUris: [], scopes: [...ALL_SCOPES], website: '' }

/** The app that the operator's tokens belong to. It is made when first wanted; no one knows its secret. */
export const operatorsApp = (deps: Deps) => async (): Promise<App> => {
  const reader = new AppReader(deps.database.db)
  const found = await reader.findOperators()
  if (found) return found
  const { app } = await add(deps, OPERATORS_APP, true)
  // Another process may have been first.
  return app ?? orNotFound(await reader.findOperators())
}
