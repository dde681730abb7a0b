/** Listeners for dead connections of this process, by server. */
const listeners = new Map<string, Set<() => void>>()

/** The server of a URL, without passwords and parameters. */
export const serverOf = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { hostname, port, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? hostname}:${port}`
}

/** Notifies the other connections to that server: most likely they died of the same cause. */
export const publishDeath = (server: string): void => {
  for (const listener of listeners.get(server) ?? []) listener()
}

/** Calls the listener when a connection to that server was found dead. Returns a function that removes the listener. */
export const onDeath = (server: string, listener: () => void): (() => void) => {
  const all = listeners.get(server) ?? new Set()
  listeners.set(server, all.add(listener))
  return () => {
    all.delete(listener)
    if (all.size === 0) listeners.delete(server)
  }
}
