import type { Socket } from 'node:net'
import { after, type Timer } from '@rookery/handles'
import pg from 'pg'
import { type Backends, backendsAt } from './backends.ts'
import { publishDeath, serverOf } from './deaths.ts'
import { SESSION_LIMITS, type SessionLimits, statementLimit } from './limits.ts'
import type { Refusals } from './refusals.ts'
import { type StartupOptions, startupOf, uniqueName } from './startup.ts'
import { types } from './types.ts'

export type SessionOptions = StartupOptions & { limits?: Partial<SessionLimits> }

/** Configuration of a session: pg's own, and our collaborators. */
type SessionConfig = pg.ClientConfig & {
  readonly limits: SessionLimits
  readonly backends: Backends
  /** Called whenever the server has answered everything it was sent. */
  readonly onAnswer?: () => void
  /** Observes refused statements, and written rows. */
  readonly refusals?: Refusals
  readonly server: string
}

/** The configuration of a session at a URL. */
export const sessionConfig = ({ limits, ...startup }: SessionOptions): SessionConfig => {
  const opened = startupOf(startup)
  const all = { ...SESSION_LIMITS, ...limits }
  const { connectionString } = opened
  return {
    ...opened,
    connectionTimeoutMillis: all.connect,
    limits: all,
    backends: backendsAt(connectionString),
    server: serverOf(connectionString),
  }
}

/** With the code ETIMEDOUT, so that it counts as an outage and not as a fault of the statement. */
const noAnswer = (milliseconds: number) =>
  Object.assign(new Error(`Postgres did not answer for ${Math.round(milliseconds / 100) / 10} seconds`), { code: 'ETIMEDOUT' })

/**
 * A session with timeouts. Without an answer for a while, it checks over another connection whether the server is executing the statement:
 * if not, this connection is dead and is destroyed; if so, or if the server cannot be asked, the statement has until its timeout.
 * Statements on a destroyed connection fail with ETIMEDOUT.
 */
class BoundedClient extends pg.Client {
  readonly #config: SessionConfig
  readonly #name: string
  /** When the last bytes of an answer arrived while a statement is under way, and how many bytes had arrived then. */
  #since: number | undefined
  #bytes = 0
  #limit = 0
  #timer: Timer | undefined

  constructor(config: SessionConfig) {
    const name = uniqueName(config.application_name ?? '')
    super({ ...config, application_name: name, types })
    this.#config = config
    this.#name = name
    // Before pg's own listener, which may send the next statement.
    this.connection.on('readyForQuery', () => {
      this.#since = performance.now()
      config.onAnswer?.()
    })
    const { refusals } = config
    if (refusals) {
      this.connection.on('errorMessage', (error: pg.DatabaseError) => refusals.refused(error))
      this.connection.on('commandComplete', ({ text }: { text: string }) => refusals.answered(text))
    }
    this.on('end', () => {
      this.#since = undefined
      this.#timer?.stop()
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg's many ways to ask
  override query(...input: any[]): any {
    const { limits } = this.#config
    this.#limit = (input[0] as { limit?: number } | undefined)?.limit ?? statementLimit() ?? limits.statement
    if (this.#isIdle()) {
      this.#since = performance.now()
      this.#bytes = this.#bytesRead()
    }
    // The timer is left to run out: starting and stopping one per statement costs more.
    if (!this.#timer) this.#wait(Math.min(limits.silence, this.#limit))
    return Reflect.apply(super.query, this, input)
  }

  // biome-ignore lint/suspicious/noExplicitAny: with a callback or a promise
  override end(...input: any[]): any {
    // A dead server does not close the connection.
    const late = after(this.#config.limits.silence, () => this.destroy(), { onError: () => {}, holdsProcess: false })
    this.once('end', () => late.stop())
    return Reflect.apply(super.end, this, input)
  }

  /** Destroys the socket, without pg's goodbye message. */
  destroy(error?: Error): void {
    this.connection.stream.destroy(error)
  }

  #isIdle(): boolean {
    return this.#since === undefined || Boolean((this as { readyForQuery?: boolean }).readyForQuery)
  }

  #bytesRead(): number {
    return (this.connection.stream as Socket).bytesRead
  }

  #wait(milliseconds: number): void {
    const look = () => {
      this.#timer = undefined
      return this.#examine()
    }
    this.#timer = after(milliseconds, look, { onError: (error) => this.destroy(error as Error), holdsProcess: false })
  }

  /** Bytes that arrived since the last check count as an answer. */
  #noteProgress(): void {
    const bytes = this.#bytesRead()
    if (bytes === this.#bytes || this.#since === undefined) return
    this.#bytes = bytes
    this.#since = performance.now()
  }

  async #examine(): Promise<void> {
    this.#noteProgress()
    const since = this.#since
    if (since === undefined || this.#isIdle()) return
    const silent = performance.now() - since
    if (silent >= this.#limit) return this.#giveUp(silent)
    const pause = Math.min(this.#config.limits.silence, this.#limit)
    if (silent < pause) return this.#wait(pause - silent)
    // The timeout holds during the check, too.
    this.#wait(Math.min(pause, this.#limit - silent))
    const isWorking = await this.#config.backends.isWorking(this.#name)
    this.#noteProgress()
    if (this.#since !== since || isWorking !== false || this.#isIdle()) return
    this.#giveUp(performance.now() - since)
    publishDeath(this.#config.server)
  }

  #giveUp(silent: number): void {
    this.destroy(noAnswer(silent))
    this.#config.backends.end(this.#name)
  }
}

export type Session = pg.Client & Pick<BoundedClient, 'destroy'>
// Its `query` and `end` are pg's, with all their overloads.
export const Session = BoundedClient as unknown as new (config: SessionConfig) => Session

/**
 * Adds an error listener to a session: an error between two statements would otherwise end the process. Statements on a broken connection
 * fail by themselves.
 */
export const hearErrors = (session: pg.ClientBase): void => void session.on('error', () => {})

/**
 * Opens a session outside of pools. Callers that keep it for long listen to its `end`. @throws Error when it cannot be opened within
 * seconds
 */
export const openSession = async (options: SessionOptions): Promise<Session> => {
  const session = new Session(sessionConfig(options))
  hearErrors(session)
  await session.connect()
  return session
}
