/** The release of Rookery. */
const OWN = '0.1.0'

/**
 * What the API speaks, then who speaks it. Clients switch features on by the first part, so it is the newest release all of whose
 * features are here (beyond-the-spec 3.2).
 */
export const VERSION = `4.5.0+rookery-${OWN}`

/**
 * The steps of the API that clients look for (beyond-the-spec 3.2): up to 7 they are groups and policies of
 * notifications, domains an account may be attributed by, deletion of media, filters that blur, endorsements, and quotes.
 */
export const API_VERSIONS = { mastodon: 7 } as const
