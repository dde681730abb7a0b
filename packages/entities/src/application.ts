import type { App } from '@rookery/contracts/auth'

/** Application (beyond-the-spec 1.1). */
export const applicationEntity = (app: App) => ({
  // Numbers are younger than apps: for a moment of the first upgrade there may be none.
  id: app.number > 0 ? String(app.number) : app.id,
  name: app.name,
  website: app.website || null,
  scopes: app.scopes,
  redirect_uris: app.redirectUris,
  redirect_uri: app.redirectUris.join('\n'),
})

/** CredentialApplication: the app with what it signs in by; secrets never expire. */
export const credentialApplicationEntity = (app: App) => ({
  ...applicationEntity(app),
  client_id: app.clientId,
  client_secret: app.clientSecret,
  client_secret_expires_at: 0,
})
