import { globSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isListening } from '@rookery/handles'
import { type Call, type Client, connect, type Definition, openConnection } from '@rookery/rpc'
import { callWithin } from '@rookery/rpc/call-within'

/** The running processes of a server, reached through the sockets in its data folder. */
export type Servers = {
  /** The data folder. */
  readonly folder: string
  /** A client of the process with the service. @throws Error when it does not run */
  of<D extends Definition>(service: string, definition: D): Promise<Client<D>>
  /** A client of every process. @throws Error when none runs */
  all<D extends Definition>(definition: D): Promise<Client<D>[]>
  close(): void
}

/** The socket of the one process with all services; a separate service prefixes its name. */
const WHOLE = 'operator.sock'

const notRunning = (folder: string, service?: string) =>
  new Error(
    `${service ? `The service ${service} of the server` : 'The server'} in ${folder} is not running. Start it with npm start, or name its folder by DATA_DIR.`,
  )

/** Finds the processes of the server with a data folder. Sockets of killed processes are ignored. */
export const findServers = (dataDir: string): Servers => {
  const folder = resolve(dataDir)
  const opened: { close(): void }[] = []
  const open = <D extends Definition>(path: string, definition: D) => {
    const connection = openConnection(`unix:${path}`)
    opened.push(connection)
    return connect(definition, connection)
  }
  const living = async (names: string[]) => {
    const paths = names.map((name) => join(folder, name))
    const living = await Promise.all(paths.map(isListening))
    return paths.filter((_, index) => living[index])
  }
  return {
    folder,
    async of(service, definition) {
      const [path] = await living([WHOLE, `${service}.${WHOLE}`])
      if (!path) throw notRunning(folder, (await living(globSync(`*.${WHOLE}`, { cwd: folder }))).length > 0 ? service : undefined)
      return open(path, definition)
    },
    async all(definition) {
      const paths = await living(globSync(`{,*.}${WHOLE}`, { cwd: folder }).map((path) => basename(path)))
      if (paths.length === 0) throw notRunning(folder)
      return paths.map((path) => open(path, definition))
    },
    close: () => {
      for (const connection of opened) connection.close()
    },
  }
}

/** The context of an operator's call, with a deadline of half a minute. */
export const operatorCall = (): Call => callWithin(30, 'operator')
