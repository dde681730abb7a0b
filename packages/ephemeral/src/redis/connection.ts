import { every } from '@rookery/handles'
import { Redis } from 'ioredis'

/** A connection that reconnects for ever. While it is lost its commands fail at once. */
export type Connection = {
  readonly client: Redis
  /** Why it is unavailable now, or undefined. */
  fault(): string | undefined
  /** Resolves when it serves for the first time and `onReady` is done, or when it turned out that it does not yet. */
  readonly ready: Promise<void>
  close(): void
}

const LONGEST_PAUSE = 1000
const TIMEOUT = 2000
const PING_EVERY = 2000

export type ConnectionOptions = {
  /** redis://user:password@host:port, or rediss:// for TLS. */
  url: string
  /** Of TLS: whom to believe instead of the usual authorities, and what to show, in PEM. */
  tls?: { ca?: string; cert?: string; key?: string }
  /** Called with the reason each time it becomes unavailable, or available again. */
  onFault?: (fault: string) => void
  /** Called with the reason, each time it is another one, when Redis answers and refuses what the connection is for. */
  onRefused?: (why: string) => void
}

/** Asked for nothing, and sent again nothing, while there is no connection. */
const openClient = ({ url, tls }: ConnectionOptions) =>
  new Redis(url, {
    ...(url.startsWith('rediss:') && { tls: tls ?? {} }),
    retryStrategy: (attempt) => Math.min(attempt * 50, LONGEST_PAUSE),
    enableOfflineQueue: false,
    autoResubscribe: false,
    maxRetriesPerRequest: 0,
    // What was sent and not answered when the connection was lost is lost with it.
    autoResendUnfulfilledCommands: false,
    connectTimeout: TIMEOUT,
    commandTimeout: TIMEOUT,
  })

/** Reports what Redis refuses, once until it is another refusal or none. */
const reportRefusals = (report: (why: string) => void) => {
  let reported: string | undefined
  return (error: Error | undefined) => {
    const why = error?.name === 'ReplyError' ? error.message : undefined
    if (why !== undefined && why !== reported) report(`Redis refuses what is asked of it: ${why}`)
    reported = why
  }
}

/** Opens a connection; `onReady` runs each time it serves, also after it was lost. */
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
      // The connection cannot do what it is for: another one is made.
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
  // A connection that broke without a word is noticed by its silence, and made again.
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
