import { sign } from 'node:crypto'
import { checkDigest, contentDigestHeader } from './digest.ts'
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

const MAX_HEADER = 8192
const MAX_COMPONENTS = 32

/**
 * The parameters of one signature as a dictionary member (RFC 8941, 3.2): components without parameters, then the signature's parameters.
 */
const MEMBER = /^([a-z*][\w.*-]*)=(\(((?:\s*"[^"\\]*")*)\s*\)((?:;\s*[a-z*][\w.*-]*=(?:-?\d{1,15}|"[^"\\]*"|[A-Za-z*][\w.*:/-]*))*))$/
const PARAMETER = /;\s*([a-z*][\w.*-]*)=(?:(-?\d{1,15})|"([^"\\]*)"|([A-Za-z*][\w.*:/-]*))/g
const SIGNATURE = /^([a-z*][\w.*-]*)=:([A-Za-z0-9+/]+={0,2}):$/

/** The members of a dictionary, separated by commas outside of quotes. */
const membersOf = (header: string): string[] => {
  if (header.length > MAX_HEADER) throw new SignatureError('the signature is too long')
  return (header.match(/(?:[^,"]|"[^"]*")+/g) ?? []).map((member) => member.trim()).filter(Boolean)
}

type Input = { label: string; raw: string; components: string[]; parameters: Map<string, string> }

const inputOf = (member: string): Input | undefined => {
  const match = MEMBER.exec(member)
  if (!match) return undefined
  const [, label = '', raw = '', list = '', rest = ''] = match
  const parameters = new Map(
    Array.from(rest.matchAll(PARAMETER), ([, name = '', digits, text, token]) => [name, digits ?? text ?? token ?? '']),
  )
  return { label, raw, components: Array.from(list.matchAll(/"([^"]*)"/g), ([, name = '']) => name), parameters }
}

const DERIVED: Record<string, (message: SignedMessage) => string> = {
  '@method': ({ method }) => method.toUpperCase(),
  '@target-uri': ({ url, target }) => `${url.origin}${target}`,
  '@authority': ({ url }) => url.host,
  '@scheme': ({ url }) => url.protocol.slice(0, -1),
  '@request-target': ({ target }) => target,
  '@path': ({ target }) => target.split('?', 1)[0] || '/',
  '@query': ({ target }) => (target.includes('?') ? target.slice(target.indexOf('?')) : '?'),
}

const componentOf = (name: string, message: SignedMessage): string => {
  if (name.startsWith('@')) {
    const derive = Object.hasOwn(DERIVED, name) ? DERIVED[name] : undefined
    if (!derive) throw new SignatureError('the signature covers a component that is not known here')
    return derive(message)
  }
  const value = name === 'host' ? message.url.host : headerOf(message, name)
  if (value === undefined) throw new SignatureError('a header is signed and not there')
  return value
}

const checkCoverage = (names: ReadonlySet<string>, message: SignedMessage): void => {
  const hasAddress =
    names.has('@target-uri') || ((names.has('@authority') || names.has('host')) && (names.has('@path') || names.has('@request-target')))
  if (!names.has('@method') || !hasAddress) throw new SignatureError('the signature does not cover method and address')
  if (message.body !== undefined && !names.has('content-digest')) throw new SignatureError('the signature does not cover content-digest')
}

const ALGORITHMS = new Map<string | undefined, SignatureAlgorithm>([
  [undefined, 'by-key'],
  ['rsa-v1_5-sha256', 'rsa-v1_5-sha256'],
  ['rsa-pss-sha512', 'rsa-pss-sha512'],
  ['ed25519', 'ed25519'],
])

const seconds = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text) * 1000)

/** Reads the first well-formed signature of a message by RFC 9421, and checks everything except the key. @throws SignatureError */
export const readRfc9421 = (message: SignedMessage, now: number): ReadSignature => {
  const input = membersOf(headerOf(message, 'signature-input') ?? '')
    .map(inputOf)
    .find((each) => each !== undefined)
  if (!input) throw new SignatureError('the signature is malformed')
  const signatures = membersOf(headerOf(message, 'signature') ?? '').map((member) => SIGNATURE.exec(member))
  const signature = signatures.find((match) => match?.[1] === input.label)?.[2]
  const { components, parameters, raw } = input
  const keyId = parameters.get('keyid')
  if (!keyId || !signature) throw new SignatureError('the signature says no keyid or no signature')
  const algorithm = ALGORITHMS.get(parameters.get('alg'))
  if (!algorithm) throw new SignatureError('the algorithm of the signature is not known')
  const names = new Set(components)
  if (names.size !== components.length || names.size > MAX_COMPONENTS) throw new SignatureError('the signature names components too often')
  checkCoverage(names, message)
  checkTimes({ signedAt: seconds(parameters.get('created')) ?? Number.NaN, expiresAt: seconds(parameters.get('expires')), now })
  if (message.body !== undefined) checkDigest(message, 'content-digest')
  const lines = [...components.map((name) => `"${name}": ${componentOf(name, message)}`), `"@signature-params": ${raw}`]
  return { kind: 'rfc9421', keyId, algorithm, bases: [lines.join('\n')], signature: Buffer.from(signature, 'base64') }
}

/** Signs a request with RSA by RFC 9421. Returns the headers to send, including `more`. `now` in milliseconds since 1970. */
export const signRfc9421 = (
  { method, url, body, contentType, more = {} }: UnsignedRequest,
  key: SigningKey,
  now: number,
): Record<string, string> => {
  const headers: Record<string, string> = { Host: url.host, Date: new Date(now).toUTCString() }
  if (body)
    Object.assign(headers, { 'Content-Digest': contentDigestHeader(body), 'Content-Type': contentType ?? 'application/activity+json' })
  const target = `${url.pathname}${url.search}`
  const values: [string, string][] = [
    ['@method', method],
    ['@target-uri', `${url.origin}${target}`],
    ...(body ? [['content-digest', headers['Content-Digest']!] as [string, string]] : []),
    ...Object.entries(more).map(([name, value]): [string, string] => [name.toLowerCase(), value]),
  ]
  const list = values.map(([name]) => `"${name}"`).join(' ')
  const raw = `(${list});created=${Math.floor(now / 1000)};keyid="${key.keyId}";alg="rsa-v1_5-sha256"`
  const base = [...values.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${raw}`].join('\n')
  const signature = sign('sha256', Buffer.from(base), key.privateKey).toString('base64')
  return { ...headers, ...more, 'Signature-Input': `sig1=${raw}`, Signature: `sig1=:${signature}:` }
}
