/** The public addresses (URIs) of this server's actors (docs/decisions/0030-federation.md). */
export type ActorAddresses = ReturnType<typeof actorAddresses>

/** Builds the addresses of actors from the server's base URL. */
export const actorAddresses = (baseUrl: string) => {
  const actor = (username: string) => `${baseUrl}/users/${username}`
  return {
    actor,
    server: `${baseUrl}/actor`,
    sharedInbox: `${baseUrl}/inbox`,
    /** The id of an actor's public key. */
    key: (username: string) => `${actor(username)}#main-key`,
    serverKey: `${baseUrl}/actor#main-key`,
    profile: (username: string) => `${baseUrl}/@${username}`,
    status: (username: string, id: string) => `${baseUrl}/@${username}/${id}`,
  }
}
