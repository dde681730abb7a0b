const isWeb = (uri: string) => /^https?:$/.test(new URL(uri).protocol)

/** Where an app is returned to, as people know places: the host of a website, else the app's name. */
export const placeOf = (redirectUri: string, appName: string): string => (isWeb(redirectUri) ? new URL(redirectUri).host : appName)

/**
 * The scheme a form may lead to, for a content security policy. Browsers hold the whole way to the app against it, and websites send people
 * on from their redirect URI to other hosts.
 */
export const formTargetOf = (redirectUri: string): string => new URL(redirectUri).protocol
