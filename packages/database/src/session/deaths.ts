import { EventEmitter } from 'node:events'

/** Connections of this process that were found dead, by the server they led to. */
const deaths = new EventEmitter().setMaxListeners(0)

/** Which server a url leads to; passwords and parameters are left out. */
export const serverOf = (url: string): string => {
  if (!URL.canParse(url)) return url
  const { hostname, port, searchParams } = new URL(url)
  return `${searchParams.get('host') ?? hostname}:${port}`
}

/** Whoever has connections to that server looks to them: they died of the same cause, most likely. */
export const announceDeath = (server: string): void => void deaths.emit(server)

/** Calls back when a connection to that server was found dead. Answers with how to end that. */
export const onDeath = (server: string, listener: () => void): (() => void) => {
  deaths.on(server, listener)
  return () => void deaths.off(server, listener)
}
