/** Who looks to their connections when another one of this process is found dead, by the server they lead to. */
const listeners = new Map<string, Set<() => void>>()

/** Which server a url leads to; passwords and parameters are left out. */
export const serverOf = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { hostname, port, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? hostname}:${port}`
}

/** Other connections to that server are checked too: most likely they died of the same cause. */
export const publishDeath = (server: string): void => {
  for (const listener of listeners.get(server) ?? []) listener()
}

/** Calls back when a connection to that server was found dead. Returns how to end that. */
export const onDeath = (server: string, listener: () => void): (() => void) => {
  const all = listeners.get(server) ?? new Set()
  listeners.set(server, all.add(listener))
  return () => {
    all.delete(listener)
    if (all.size === 0) listeners.delete(server)
  }
}
