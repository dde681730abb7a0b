/** Where this server and its people are for other servers (docs/decisions/0030-federation.md). */
export type ActorAddresses = ReturnType<typeof actorAddresses>

/** The addresses of a server's actors, by its base URL. */
export const actorAddresses = (baseUrl: string) => {
  const actor = (username: string) => `${baseUrl}/users/${username}`
  return {
    actor,
    server: `${baseUrl}/actor`,
    sharedInbox: `${baseUrl}/inbox`,
    /** The id of a person's key. */
    key: (username: string) => `${actor(username)}#main-key`,
    serverKey: `${baseUrl}/actor#main-key`,
    profile: (username: string) => `${baseUrl}/@${username}`,
    status: (username: string, id: string) => `${baseUrl}/@${username}/${id}`,
  }
}
