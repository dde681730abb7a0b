import { endpoints } from '@rookery/gateway'
import { type Answer, type Asking, ask, Browser, type PageAnswer as Page } from '@rookery/test-world'
import { expect } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

/** The body of a request, by content type. */
export const asJson = (body: Json): Asking => ({ body })
export const asForm = (body: Record<string, string>): Asking => ({ body: new URLSearchParams(body) })

/** Whether a route pattern matches a path. */
export const fits = (declared: string, path: string) =>
  new RegExp(`^${declared.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`).test(path)

/** A client that is signed in. */
export class Client {
  readonly token: string
  readonly #origin: string

  constructor({ token, origin }: { token: string; origin: string }) {
    this.token = token
    this.#origin = origin
  }

  asks(method: string, path: string, asking: Asking = {}): Promise<Answer> {
    return ask(this.#origin, method, path, { token: this.token, ...asking })
  }

  async gets(path: string): Promise<Json> {
    const answer = await this.asks('GET', path)
    expect({ path, status: answer.status }).toEqual({ path, status: 200 })
    return answer.body
  }

  async posts(path: string, asking: Asking): Promise<Json> {
    const answer = await this.asks('POST', path, asking)
    expect({ path, status: answer.status, text: answer.text }).toMatchObject({ path, status: 200 })
    return answer.body
  }

  /** Requests an endpoint that may not exist: clients continue after a 404 in JSON only. */
  async tries(method: string, path: string, asking: Asking = {}): Promise<void> {
    const answer = await this.asks(method, path, asking)
    const declared = path.split('?', 1)[0]!.replace(/\/$/, '')
    const isOffered = endpoints.some((endpoint) => endpoint.method === method && fits(endpoint.path, declared))
    if (!isOffered)
      expect({ path, status: answer.status, body: answer.body }).toEqual({ path, status: 404, body: { error: expect.any(String) } })
    expect(answer.status).toBeLessThan(500)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  }
}

/** Signs in on our pages and authorizes the client; returns the client's callback. */
export const approve = async (origin: string, username: string, path: string, query: Record<string, string>): Promise<Page> => {
  const browser = new Browser({ base: origin, server: origin })
  const signIn = await browser.visit(`${path}?${new URLSearchParams({ response_type: 'code', ...query })}`)
  const approval = await browser.submit(signIn, { email: `${username}@example.org`, password: `${username}-password` })
  return browser.submit(approval, { answer: 'allow' })
}

/** The code of an app's callback, or of the page that shows it for copying. */
export const codeIn = ({ location, text }: Page): string =>
  location ? (new URL(location).searchParams.get('code') ?? '') : (/<input id="code" type="text" value="([^"]+)"/.exec(text)?.[1] ?? '')

/** The client with its token, which belongs to an account. */
export const letIn = async (origin: string, answer: Answer): Promise<Client> => {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
  const client = new Client({ token: answer.body.access_token, origin })
  await client.gets('/api/v1/accounts/verify_credentials')
  return client
}

type Frame = { stream: string[]; event: string; payload?: string }

/** A WebSocket as browsers open it. */
export const openSocket = async (url: string, protocol?: string) => {
  const socket = protocol === undefined ? new WebSocket(url) : new WebSocket(url, [protocol])
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  socket.addEventListener('message', ({ data }) => {
    frames.push(JSON.parse(data))
    for (const look of waiting) look()
  })
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`${url} could not be opened`)))
  })
  return {
    protocol: socket.protocol,
    send: (message: Json) => socket.send(JSON.stringify(message)),
    hears: (fits: (frame: Frame) => boolean) =>
      new Promise<Frame>((resolve) => {
        const look = () => {
          const found = frames.find(fits)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    close: () => socket.close(),
  }
}

/** Whether a frame is an update with the status. */
export const updateOf = (id: string) => (frame: Frame) => frame.event === 'update' && JSON.parse(frame.payload ?? '').id === id

/** The lines of an event stream until one matches. */
export const linesUntil = async (response: Response, fits: (line: string) => boolean): Promise<string[]> => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const lines = text.split('\n')
    const end = lines.slice(0, -1).findIndex(fits)
    if (end >= 0) {
      await reader.cancel()
      return lines.slice(0, end + 1)
    }
    const { value, done } = await reader.read()
    if (done) throw new Error(`the stream ended: ${text}`)
    text += value
  }
}
