import { every } from '@rookery/handles'
import { Redis } from 'ioredis'

/** A connection that reconnects for ever. While it is lost, commands fail at once. */
export type Connection = {
  readonly client: Redis
  /** Why it is unavailable now, or undefined. */
  fault(): string | undefined
  /** Resolves when it is connected for the first time and `onReady` has finished, or when the first attempt failed. */
  readonly ready: Promise<void>
  close(): void
}

const LONGEST_PAUSE = 1000
const TIMEOUT = 2000
const PING_EVERY = 2000

export type ConnectionOptions = {
  /** redis://user:password@host:port, or rediss:// for TLS. */
  url: string
  /** TLS: the CA certificate that replaces the usual ones, and the client certificate with its key, in PEM. */
  tls?: { ca?: string; cert?: string; key?: string }
  /** Called with the reason each time it becomes unavailable, or unavailable for another reason. */
  onFault?: (fault: string) => void
  /** Called with the reason when Redis answers but refuses what the connection is for; again only if the reason changes. */
  onRefused?: (why: string) => void
}

/** A client that neither queues nor resends commands while it is disconnected. */
const openClient = ({ url, tls }: ConnectionOptions) =>
  new Redis(url, {
    ...(url.startsWith('rediss:') && { tls: tls ?? {} }),
    retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_PAUSE),
    enableOfflineQueue: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    // Commands without an answer when the connection is lost fail with it.
    autoResendUnfulfilledCommands: false,
    connectTimeout: TIMEOUT,
    commandTimeout: TIMEOUT,
  })

/** Reports the refusals of Redis, each once until the reason changes or goes away. */
const reportRefusals = (report: (why: string) => void) => {
  let reported: string | undefined
  return (error: Error | undefined) => {
    const why = error?.name === 'ReplyError' ? error.message : undefined
    if (why !== undefined && why !== reported) report(`Redis refuses what is asked of it: ${why}`)
    reported = why
  }
}

/** Opens a connection; `onReady` runs after each connect, reconnects included. */
export const openConnection = (options: ConnectionOptions, onReady: (client: Redis) => void | Promise<void>): Connection => {
  const client = openClient(options)
  const noteRefusal = reportRefusals((why) => options.onRefused?.(why))
  let fault: string | undefined = 'Redis has not answered yet'
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const begin = async () => {
    fault = undefined
    try {
      await onReady(client)
      noteRefusal(undefined)
    } catch (error) {
      note(`Redis does not answer: ${(error as Error).message}`)
      noteRefusal(error as Error)
      // The connection is of no use: reconnect.
      client.disconnect(true)
    }
    resolve()
  }
  client.on('ready', () => void begin())
  const note = (why: string) => {
    if (why !== fault) options.onFault?.(why)
    fault = why
  }
  client.on('error', (error) => {
    note(`Redis does not answer: ${error.message}`)
    resolve()
  })
  client.on('close', () => {
    if (!fault) note('the connection to Redis was lost')
  })
  // A connection that broke silently is detected by a missing pong, and reconnected.
  const ping = async () => {
    if (client.status === 'ready') await client.ping()
  }
  const pinging = every(PING_EVERY, ping, { onError: () => client.disconnect(true) })
  return {
    client,
    fault: () => fault,
    ready,
    close: () => {
      pinging.stop()
      fault ??= 'the connection was closed'
      client.disconnect()
    },
  }
}
