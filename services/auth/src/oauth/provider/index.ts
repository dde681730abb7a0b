import { type Database, transact } from '@rookery/database'
import type { AuthTables } from '../../database/schema.ts'
import { ArtifactWriter } from './artifact.store.ts'

export { type AuthorizationRequest, carriedRequest } from './authorization-request.ts'
export { authorizeEndpoint, resumeEndpoint } from './authorize.ts'
export { type BrowserSessions, createBrowserSessions } from './browser-sessions.ts'
export { isWrongCredential, OAuthFault } from './faults.ts'
export { interactionPages } from './interactions.ts'
export { loadKeys } from './keys.ts'
export { lazyProvider } from './lazy-provider.ts'
export { metadataEndpoint } from './metadata.ts'
export { nativeCodeEndpoint } from './native-code.ts'
export { renderProviderError } from './render-error.ts'
export { revokeEndpoint } from './revoke.ts'
export { createSessions, type Sessions } from './sessions.ts'
export { tokenEndpoint } from './token.ts'

/** Deletes sessions, interactions, codes and grants whose time is over. */
export const forgetExpiredArtifacts = (database: Database<AuthTables>, now: Date): Promise<void> =>
  transact(database.db, (tx) => new ArtifactWriter(tx).forgetExpired(now))
