import { type Answer, type Asking, ask } from './browser.ts'
import { type Listener, listen } from './stream.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

/** The body of a successful answer. @throws Error with the server's message otherwise */
const done = (answer: Answer, act: string): Json => {
  if (answer.status >= 300) throw new Error(`${act}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** A person with an account and a client, who acts through the public API. */
export class Person {
  readonly id: string
  readonly username: string
  readonly token: string
  readonly #origin: string

  constructor(given: { id: string; username: string; token: string; origin: string }) {
    this.id = given.id
    this.username = given.username
    this.token = given.token
    this.#origin = given.origin
  }

  /** Sends any request with this person's token. */
  asks(method: string, path: string, asking: Asking = {}): Promise<Answer> {
    return ask(this.#origin, method, path, { token: this.token, ...asking })
  }

  get(path: string): Promise<Answer> {
    return this.asks('GET', path)
  }

  post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.asks('POST', path, { body, headers })
  }

  /** Publishes a status and returns it. */
  async says(status: string, more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Json> {
    return done(await this.post('/api/v1/statuses', { status, ...more }, headers), `${this.username} says`)
  }

  async follows(other: Person, options: Record<string, unknown> = {}): Promise<Json> {
    return done(await this.post(`/api/v1/accounts/${other.id}/follow`, options), `${this.username} follows ${other.username}`)
  }

  /** Acts on an account: unfollow, block, mute … */
  async does(act: string, other: Person, options: Record<string, unknown> = {}): Promise<Json> {
    return done(await this.post(`/api/v1/accounts/${other.id}/${act}`, options), `${this.username} ${act}s ${other.username}`)
  }

  /** Acts on a status: favourite, reblog, bookmark … */
  async reacts(act: string, status: { id: string }, options: Record<string, unknown> = {}): Promise<Json> {
    return done(await this.post(`/api/v1/statuses/${status.id}/${act}`, options), `${this.username} ${act}s`)
  }

  async home(query = ''): Promise<Json[]> {
    return done(await this.get(`/api/v1/timelines/home${query}`), `${this.username} reads home`)
  }

  async notifications(query = ''): Promise<Json[]> {
    return done(await this.get(`/api/v1/notifications${query}`), `${this.username} reads notifications`)
  }

  /** Opens a WebSocket on a stream. */
  listens(stream: string, parameters: Record<string, string> = {}): Promise<Listener> {
    return listen(this.#origin, { access_token: this.token, stream, ...parameters })
  }
}
