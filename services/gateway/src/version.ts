/** The release of Rookery. */
const OWN = '0.1.0'

/**
 * The API's version, then the software's. Clients enable features by the first part, so it is the newest release all of whose features are
 * implemented (beyond-the-spec 3.2).
 */
export const VERSION = `4.5.0+rookery-${OWN}`

/**
 * The API version that clients check (beyond-the-spec 3.2): up to 7 these are groups and policies of notifications, attribution domains,
 * deletion of media, filters that blur, endorsements, and quotes.
 */
export const API_VERSIONS = { mastodon: 7 } as const
