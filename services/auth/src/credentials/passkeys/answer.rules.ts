/** A browser's response after creating a passkey, as by PublicKeyCredential.toJSON (WebAuthn, 5.1.7). */
export type CreatedAnswer = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports: string[] }
  clientExtensionResults: Record<string, never>
}

/** A browser's response after signing with a passkey. */
export type UsedAnswer = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle: string }
  clientExtensionResults: Record<string, never>
}

/** The maximum length of a credential id in base64url: 1023 bytes (WebAuthn, 4). */
const MAX_ID_LENGTH = Math.ceil((1023 * 4) / 3)

const TRANSPORTS = new Set(['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'])

const isText = (value: unknown): value is string => typeof value === 'string' && /^[\w-]*$/.test(value)

const parse = (text: string): { id: string; response: Record<string, unknown> } | undefined => {
  try {
    const { id, response } = JSON.parse(text)
    return isText(id) && id !== '' && id.length <= MAX_ID_LENGTH && typeof response === 'object' && response ? { id, response } : undefined
  } catch {
    return undefined
  }
}

const SHARED = { type: 'public-key', clientExtensionResults: {} } as const

/** Parses the response of a created passkey; undefined if malformed. */
export const createdAnswer = (text: string): CreatedAnswer | undefined => {
  const parsed = parse(text)
  if (!parsed) return undefined
  const { clientDataJSON, attestationObject, transports } = parsed.response
  if (!isText(clientDataJSON) || !isText(attestationObject)) return undefined
  const known = Array.isArray(transports) ? [...new Set(transports.filter((each) => TRANSPORTS.has(each)))] : []
  return { ...SHARED, id: parsed.id, rawId: parsed.id, response: { clientDataJSON, attestationObject, transports: known } }
}

/** Parses the response of a signature; undefined if malformed. */
export const usedAnswer = (text: string): UsedAnswer | undefined => {
  const parsed = parse(text)
  if (!parsed) return undefined
  const { clientDataJSON, authenticatorData, signature, userHandle = '' } = parsed.response
  if (!isText(clientDataJSON) || !isText(authenticatorData) || !isText(signature) || !isText(userHandle)) return undefined
  return { ...SHARED, id: parsed.id, rawId: parsed.id, response: { clientDataJSON, authenticatorData, signature, userHandle } }
}
