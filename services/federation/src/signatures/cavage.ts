import { sign } from 'node:crypto'
import { checkDigest, digestHeader } from './digest.ts'
import {
  checkTimes,
  headerOf,
  type ReadSignature,
  type SignatureAlgorithm,
  SignatureError,
  type SignedMessage,
  type SigningKey,
  type UnsignedRequest,
} from './message.ts'

/** Maximum length of the header, more than signatures of RSA and Ed25519 need. */
const MAX_HEADER = 8192
const MAX_NAMES = 32

/** `name="value"` or `name=token`, with optional whitespace, separated by commas (draft-cavage-12, 2.1; RFC 7235, 2.1). */
const PARAMETER = /\s*([a-zA-Z]+)\s*=\s*(?:"([^"]*)"|([\w!#$%&'*+.^`|~-]{1,64}))\s*(?:,|$)/y

const parametersOf = (header: string): Map<string, string> => {
  if (header.length > MAX_HEADER) throw new SignatureError('the signature is too long')
  const found = new Map<string, string>()
  PARAMETER.lastIndex = 0
  while (PARAMETER.lastIndex < header.length) {
    const match = PARAMETER.exec(header)
    if (!match) throw new SignatureError('the signature is malformed')
    if (found.has(match[1]!)) throw new SignatureError('the signature says a parameter twice')
    found.set(match[1]!, match[2] ?? match[3]!)
  }
  return found
}

/** Algorithms as servers use them: in practice, hs2019 is determined by the key. */
const ALGORITHMS: Record<string, SignatureAlgorithm> = {
  '': 'by-key',
  hs2019: 'by-key',
  'rsa-sha256': 'rsa-v1_5-sha256',
  ed25519: 'ed25519',
}

type Line = { message: SignedMessage; parameters: ReadonlyMap<string, string>; target: string }

const componentOf = (name: string, { message, parameters, target }: Line): string => {
  if (name === '(request-target)') return `${message.method.toLowerCase()} ${target}`
  if (name === '(created)' || name === '(expires)') {
    const value = parameters.get(name.slice(1, -1))
    if (value === undefined) throw new SignatureError(`${name} is signed and not there`)
    return value
  }
  if (name === 'host') return message.url.host
  const value = headerOf(message, name)
  if (value === undefined) throw new SignatureError('a header is signed and not there')
  return value
}

const baseOf = (names: readonly string[], line: Line): string => names.map((name) => `${name}: ${componentOf(name, line)}`).join('\n')

const seconds = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text) * 1000)

/** Requires the headers that prevent reuse of a signature with another URL, time or body. @throws SignatureError */
const checkCoverage = (names: ReadonlySet<string>, message: SignedMessage): void => {
  const needed = ['(request-target)', 'host', ...(message.body === undefined ? [] : ['digest'])]
  const missing = needed.filter((name) => !names.has(name))
  if (missing.length > 0) throw new SignatureError(`the signature does not cover ${missing.join(', ')}`)
  if (!names.has('date') && !names.has('(created)')) throw new SignatureError('the signature covers neither date nor (created)')
}

/** @throws SignatureError */
const algorithmNamed = (name: string) => {
  const algorithm = Object.hasOwn(ALGORITHMS, name) ? ALGORITHMS[name] : undefined
  if (!algorithm) throw new SignatureError('the algorithm of the signature is not known')
  return algorithm
}

/** The times at which a message was signed and its signature expires, from the signed headers and parameters, in milliseconds since 1970. */
const timesOf = ({
  names,
  parameters,
  message,
}: {
  names: ReadonlySet<string>
  parameters: ReadonlyMap<string, string>
  message: SignedMessage
}) => ({
  signedAt: names.has('date') ? Date.parse(headerOf(message, 'date') ?? '') : (seconds(parameters.get('created')) ?? Number.NaN),
  expiresAt: names.has('(expires)') ? seconds(parameters.get('expires')) : undefined,
})

/**
 * Parses a signature of draft-cavage-http-signatures-12 and checks everything but the key: its coverage, its time and the digest of the body.
 * @throws SignatureError
 */
export const readCavage = (message: SignedMessage, now: number): ReadSignature => {
  const parameters = parametersOf(headerOf(message, 'signature') ?? '')
  const [keyId, signature] = [parameters.get('keyId'), parameters.get('signature')]
  if (!keyId || !signature) throw new SignatureError('the signature says no keyId or no signature')
  const algorithm = algorithmNamed((parameters.get('algorithm') ?? '').toLowerCase())
  const list = (parameters.get('headers') ?? '(created)').toLowerCase().split(' ').filter(Boolean)
  const names = new Set(list)
  if (names.size !== list.length || names.size > MAX_NAMES) throw new SignatureError('the signature names headers too often')
  checkCoverage(names, message)
  checkTimes({ ...timesOf({ names, parameters, message }), now })
  if (message.body !== undefined) checkDigest(message, 'digest')
  const withoutQuery = message.target.split('?', 1)[0]!
  // Some servers sign the path without the query.
  const targets = message.body === undefined ? [...new Set([message.target, withoutQuery])] : [message.target]
  const bases = targets.map((target) => baseOf(list, { message, parameters, target }))
  return { kind: 'cavage', keyId, algorithm, bases, signature: Buffer.from(signature, 'base64') }
}

/** Signs a request with RSA. Returns the headers to send, including Host, Date and `more`. `now` is in milliseconds since 1970. */
export const signCavage = (
  { method, url, body, contentType, more = {} }: UnsignedRequest,
  key: SigningKey,
  now: number,
): Record<string, string> => {
  const headers: Record<string, string> = { Host: url.host, Date: new Date(now).toUTCString() }
  if (body) Object.assign(headers, { Digest: digestHeader(body), 'Content-Type': contentType ?? 'application/activity+json' })
  Object.assign(headers, more)
  const names = ['(request-target)', ...Object.keys(headers).map((name) => name.toLowerCase())]
  const values = [`${method.toLowerCase()} ${url.pathname}${url.search}`, ...Object.values(headers)]
  const base = names.map((name, index) => `${name}: ${values[index]}`).join('\n')
  const signature = sign('sha256', Buffer.from(base), key.privateKey).toString('base64')
  return {
    ...headers,
    Signature: `keyId="${key.keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${signature}"`,
  }
}
