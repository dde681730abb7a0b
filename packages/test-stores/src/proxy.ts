import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/**
 * A TCP proxy whose connections can go silent, like those of a node that dies or a network that drops packets: neither side is notified,
 * bytes are dropped, and a connection that one side closes stays open on the other. A silent connection stays silent.
 */
export type TestProxy = {
  readonly port: number
  /** host:port */
  readonly address: string
  /** The open connections go silent; new ones pass, as after a failover. */
  dropOpenFlows(): void
  /** The open and all new connections are silent, until `heal`. New ones are accepted, as by the kernel of a frozen process. */
  silence(): void
  /** New connections pass again. */
  heal(): void
  /** Closes silent connections on the side of the server, which may keep a session for each, as its keepalives do in time. */
  endSilentFlows(): void
  /** The next bytes of the server on each open connection are cut off after a few, with the connection, as when it is killed in the middle of them. */
  breakOpenFlows(): void
  /** The number of connections that pass. */
  flows(): number
  close(): Promise<void>
}

type Flow = { isSilent: boolean; isBreaking: boolean; readonly ends: readonly Socket[] }

type ProxyOptions = {
  /** A free port by default. */
  port?: number
  /** Called with the first bytes of each client. */
  onFirstBytes?: (bytes: Buffer) => void
  /** Bytes of a client, and all that follow them, wait for the returned promise. */
  hold?: (bytes: Buffer) => Promise<void> | undefined
}

/** Fewer than the shortest message of any store has. */
const A_FEW = 6

/** Passes a few bytes, and resets both sides, as the kernel does for a killed process. */
const breakOff = (bytes: Buffer, from: Socket, to: Socket) => {
  from.pause()
  to.write(bytes.subarray(0, A_FEW), () => {
    to.resetAndDestroy()
    from.destroy()
  })
}

/** Forwards bytes while the connection is not silent, and a close from one side to the other. */
const pass = (flow: Flow, from: Socket, to: Socket, hold?: ProxyOptions['hold']) => {
  const send = (bytes: Buffer) => {
    if (!flow.isSilent) to.write(bytes)
  }
  from.on('data', (data) => {
    const bytes = Buffer.from(data)
    if (flow.isBreaking && from === flow.ends[1]) return breakOff(bytes, from, to)
    const held = hold?.(bytes)
    if (!held) return send(bytes)
    from.pause()
    held.then(() => {
      send(bytes)
      from.resume()
    })
  })
  from.on('end', () => {
    if (!flow.isSilent) to.end()
  })
  from.on('close', () => {
    if (!flow.isSilent) to.destroy()
  })
  // `close` follows.
  from.on('error', () => {})
}

const targetOf = (target: string): NetConnectOpts => {
  if (target.startsWith('/')) return { path: target, allowHalfOpen: true }
  const [host = '', port] = target.split(':')
  return { host, port: Number(port), allowHalfOpen: true }
}

/** Starts a proxy on 127.0.0.1 for `host:port` or the path of a unix socket. */
export const startProxy = async (target: string, options: ProxyOptions = {}): Promise<TestProxy> => {
  const flows = new Set<Flow>()
  let isSilent = false
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const ends: Socket[] = [client]
    const flow: Flow = { isSilent, isBreaking: false, ends }
    flows.add(flow)
    if (options.onFirstBytes) client.once('data', options.onFirstBytes)
    // A silent connection is not forwarded.
    if (isSilent) return void client.on('error', () => {}).resume()
    const upstream = connect(targetOf(target)).setNoDelay(true)
    ends.push(upstream)
    pass(flow, client, upstream, options.hold)
    pass(flow, upstream, client)
    client.once('close', () => {
      if (!flow.isSilent) flows.delete(flow)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dropOpenFlows = () => {
    for (const flow of flows) flow.isSilent = true
  }
  return {
    port,
    address: `127.0.0.1:${port}`,
    dropOpenFlows,
    silence() {
      isSilent = true
      dropOpenFlows()
    },
    heal() {
      isSilent = false
    },
    endSilentFlows() {
      for (const flow of flows) {
        if (flow.isSilent) flow.ends[1]?.destroy()
      }
    },
    breakOpenFlows() {
      for (const flow of flows) flow.isBreaking = true
    },
    flows: () => [...flows].filter((flow) => !flow.isSilent).length,
    close: async () => {
      for (const { ends } of flows) for (const end of ends) end.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A proxy for the server of a Postgres URL, and that URL through the proxy, for any role. */
export const startPostgresProxy = async (
  urlOf: (role: string) => string,
  options: ProxyOptions = {},
): Promise<TestProxy & { url(role: string): string }> => {
  const { hostname, port, searchParams } = new URL(urlOf('postgres'))
  const folder = searchParams.get('host')
  const proxy = await startProxy(folder ? `${folder}/.s.PGSQL.${port || 5432}` : `${hostname}:${port || 5432}`, options)
  const url = (role: string) => {
    const through = new URL(urlOf(role))
    through.searchParams.delete('host')
    through.hostname = '127.0.0.1'
    through.port = String(proxy.port)
    return through.href
  }
  return { ...proxy, url }
}
