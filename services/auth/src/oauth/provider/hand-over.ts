import { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import type { Provider } from 'oidc-provider'

/** What the provider is shown of a request. */
export type Shown = { method: 'GET' | 'POST'; path: string; cookie?: string | undefined; form?: Readonly<Record<string, string>> }

/**
 * A request as the provider wants it: under the base URL, whatever proxies stand between, with a form in the one encoding it reads, and
 * with no header that it would make something of by itself.
 */
const requestFor = (request: Request, baseUrl: URL, shown: Shown): IncomingMessage => {
  const body = shown.form && new URLSearchParams(shown.form).toString()
  const made = new IncomingMessage(request.socket)
  // A message that ends before it is complete takes its socket with it.
  made.complete = true
  made.method = shown.method
  made.url = shown.path
  made.headers = {
    host: baseUrl.host,
    'x-forwarded-proto': baseUrl.protocol.slice(0, -1),
    accept: shown.form ? 'application/json' : (request.headers.accept ?? 'text/html'),
    ...(request.headers['accept-language'] ? { 'accept-language': request.headers['accept-language'] } : {}),
    ...(request.headers['user-agent'] ? { 'user-agent': request.headers['user-agent'] } : {}),
    ...(shown.cookie ? { cookie: shown.cookie } : {}),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(Buffer.byteLength(body)) }),
  }
  if (body) made.push(body)
  made.push(null)
  return made
}

/** Has the provider answer a request. */
export const handOver = async (provider: Provider, request: Request, response: Response, baseUrl: URL, shown: Shown): Promise<void> => {
  await provider.callback()(requestFor(request, baseUrl, shown), response)
}

/** Cookies without those of a name, signature included: so a browser's sign-in is left aside. */
export const withoutCookie = (header: string | undefined, name: string): string =>
  (header ?? '')
    .split(/;\s*/)
    .filter((pair) => !pair.startsWith(`${name}=`) && !pair.startsWith(`${name}.sig=`))
    .join('; ')
