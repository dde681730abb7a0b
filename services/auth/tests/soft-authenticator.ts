import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

/** What an item of CBOR begins with (RFC 8949, 3). */
const head = (major: number, count: number): Buffer => {
  if (count < 24) return Buffer.from([(major << 5) | count])
  return count < 256 ? Buffer.from([(major << 5) | 24, count]) : Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

const coseOf = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  ) // prettier-ignore
}

const FLAGS = { present: 1, verified: 4, attested: 64 }

/** Whether it asked its owner for a PIN; what it counts; what a browser elsewhere would say. */
type Manner = { isVerified?: boolean; count?: number; origin?: string; rpId?: string; userHandle?: string; format?: string }

type Question = { challenge: string; rpId?: string; rp?: { id: string } }

/** An authenticator with one passkey, and the browser before it (WebAuthn level 3). It counts its signatures. */
export class SoftAuthenticator {
  readonly id = randomBytes(32)
  readonly #origin: string
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #count = 0

  constructor(origin: string) {
    this.#origin = origin
  }

  #answer(type: string, { challenge, rpId, rp }: Question, manner: Manner, attested: Buffer) {
    const { isVerified = true, count = ++this.#count, origin = this.#origin } = manner
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
    const flags = FLAGS.present + (isVerified ? FLAGS.verified : 0) + (attested.length > 0 ? FLAGS.attested : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    const party = manner.rpId ?? rpId ?? rp?.id ?? ''
    return { clientData, authData: Buffer.concat([sha256(party), Buffer.from([flags]), counter, attested]) }
  }

  /** What the page's script sends after making the passkey. */
  create(question: Question, manner: Manner = {}): string {
    const cose = coseOf(this.#pair.publicKey)
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, cose])
    const { clientData, authData } = this.#answer('webauthn.create', question, manner, attested)
    const object = new Map<string, Cbor>([
      ['fmt', manner.format ?? 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: cbor(object).toString('base64url'),
      transports: ['internal'],
    }
    return JSON.stringify({ id: this.id.toString('base64url'), response })
  }

  /** What the page's script sends after using it. */
  use(question: Question, manner: Manner = {}): string {
    const { clientData, authData } = this.#answer('webauthn.get', question, manner, Buffer.alloc(0))
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#pair.privateKey)
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: manner.userHandle === undefined ? '' : Buffer.from(manner.userHandle).toString('base64url'),
    }
    return JSON.stringify({ id: this.id.toString('base64url'), response })
  }
}
