import type { App } from '@rookery/contracts/auth'

/** Application (beyond-the-spec 1.1). */
export const applicationEntity = (app: App) => ({
  // Apps from before numbers were introduced may lack one during the first upgrade.
  id: app.number > 0 ? String(app.number) : app.id,
  name: app.name,
  website: app.website || null,
  scopes: app.scopes,
  redirect_uris: app.redirectUris,
  redirect_uri: app.redirectUris.join('\n'),
})

/** CredentialApplication: the app with its client id and secret, which never expires. */
export const credentialApplicationEntity = (app: App) => ({
  ...applicationEntity(app),
  client_id: app.clientId,
  client_secret: app.clientSecret,
  client_secret_expires_at: 0,
})
