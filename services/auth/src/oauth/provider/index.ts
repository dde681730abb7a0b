import { type Database, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { memoizeAsync } from '../../memoize-async.ts'
import { ArtifactWriter } from './artifact.store.ts'
import type { openProvider } from './open-provider.ts'

export { approvalPages } from './approval.ts'
export { type AuthorizationRequest, carriedRequest } from './authorization-request.ts'
export { authorizeEndpoint, resumeEndpoint } from './authorize.ts'
export { type BrowserSessions, createBrowserSessions } from './browser-sessions.ts'
export { findSecret, type Keys, loadKeys, storedSecret } from './keys.ts'
export { nativeCodeEndpoint } from './native-code.ts'
export { renderProviderError } from './render-error.ts'
export { createSessions, type Sessions } from './sessions.ts'

type Deps = Parameters<typeof openProvider>[0]

/** Opens oidc-provider on first use: loading it takes a third of a second and 40 MB, which a fast start avoids. */
export const lazyProvider = (deps: Omit<Deps, 'cookieKeys'> & { cookieKeys: () => Promise<Deps['cookieKeys']> }) =>
  memoizeAsync(async () => {
    const [cookieKeys, module] = await Promise.all([deps.cookieKeys(), import('./open-provider.ts')])
    return module.openProvider({ ...deps, cookieKeys })
  })

/** Deletes expired sessions, interactions, codes and grants. */
export const forgetExpiredArtifacts = (database: Database<AuthTables>, now: Date): Promise<void> =>
  transact(database.db, (tx) => new ArtifactWriter(tx).forgetExpired(now))

/** Deletes the codes and grants of an app. */
export const forgetArtifactsOfApp = (database: Database<AuthTables>, clientId: string): Promise<void> =>
  transact(database.db, (tx) => new ArtifactWriter(tx).removeOfApp(clientId))
