/** A parsed answer of the API. `body` is what the JSON said, or the text when it was none. */
export type Answer = {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
  body: any
  text: string
}

export type Asking = {
  token?: string | undefined
  /** Sent as JSON, unless it is a form already. */
  body?: unknown
  headers?: Record<string, string>
  redirect?: 'follow' | 'manual'
}

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Asks a server as a client would. */
export const ask = async (
  origin: string,
  method: string,
  path: string,
  { token, body, headers = {}, redirect = 'manual' }: Asking = {},
): Promise<Answer> => {
  const isForm = body instanceof URLSearchParams || body instanceof FormData || typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(new URL(path, origin), {
    method,
    redirect,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body !== undefined && !isForm ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: parsed(text), text }
}
