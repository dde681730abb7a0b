import { ALL_SCOPES } from '@rookery/contracts/scopes'
import { type Database, transact, transactOnce } from '@rookery/database'
import { invalid, orNotFound } from '@rookery/failures'
import type { Ids } from '@rookery/ids'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AuthTables } from '../../database/schema.ts'
import { digestOf, makeSecret } from '../../secrets.ts'
import { type AppDraft, draftApp, faultsOfApp } from './app.rules.ts'
import { type App, AppReader, AppWriter, type NewApp } from './app.store.ts'

type Deps = { database: Database<AuthTables>; clock: Clock; ids: Ids }

const newApp = ({ ids, clock }: Deps, draft: AppDraft, { secret, isOperators }: { secret: string; isOperators: boolean }): NewApp => ({
  ...draft,
  id: ids.next(),
  clientId: makeSecret(),
  secretDigest: digestOf(secret),
  isOperators,
  createdAt: new Date(clock.now()),
})

type Sent = { name: string; redirectUris: readonly string[]; scopes: string; website: string }

/**
 * Registers an app and returns its secret, which cannot be read again (beyond-the-spec 1.3). A repeated request, e.g. after a lost
 * response, gets the same app with a new secret. @throws Failure invalid
 */
export const registerApp =
  (deps: Deps) =>
  async (call: Call, sent: Sent): Promise<{ app: App; secret: string }> => {
    const draft = draftApp(sent)
    const faults = faultsOfApp(draft)
    if (faults.length > 0) throw invalid(...faults)
    const { db } = deps.database
    const secret = makeSecret()
    let added: App | undefined
    const id = await transactOnce(db, { call, step: 'register-app' }, async (tx) => {
      added = orNotFound(await new AppWriter(tx).add(newApp(deps, draft, { secret, isOperators: false })))
      return added.id
    })
    const app = added ?? (await transact(db, (tx) => new AppWriter(tx).changeSecret(id, digestOf(secret))))
    return { app: orNotFound(app), secret }
  }

const OPERATORS_APP = { name: 'rookery command', redirectUris: [], scopes: [...ALL_SCOPES], website: '' }

/** The app that owns the tokens created by operators. Created on first use; its secret is discarded. */
export const operatorsApp = (deps: Deps) => async (): Promise<App> => {
  const reader = new AppReader(deps.database.db)
  const found = await reader.findOperators()
  if (found) return found
  const operators = newApp(deps, OPERATORS_APP, { secret: makeSecret(), isOperators: true })
  const app = await transact(deps.database.db, (tx) => new AppWriter(tx).add(operators))
  // A concurrent process may have added it.
  return app ?? orNotFound(await reader.findOperators())
}
