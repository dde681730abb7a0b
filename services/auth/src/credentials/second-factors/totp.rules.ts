import { createHmac, timingSafeEqual } from 'node:crypto'

/** The time step in milliseconds, and the number of digits, as all authenticator apps assume (RFC 6238, section 4). */
const STEP_MILLISECONDS = 30_000
const DIGITS = 6

/** Time steps before and after the current one whose codes are accepted: clocks differ, and typing takes time (RFC 6238, section 5.2). */
const TOLERATED_STEPS = 1

/** The time step at a time in milliseconds since 1970. */
export const stepAt = (now: number): number => Math.floor(now / STEP_MILLISECONDS)

/** The code of a time step (RFC 4226, section 5.3). */
export const codeOf = (secret: Buffer, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac[mac.length - 1]! & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Whether a text has the form of a code; if not, it may be a recovery code. */
export const isCodeLike = (typed: string): boolean => /^\d{6}$/.test(typed)

const isEqual = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The time step of a code, if it is tolerated now and later than the last used one; undefined for anything else. */
export const stepOf = (secret: Buffer, typed: string, given: { now: number; after: number }): number | undefined => {
  if (!isCodeLike(typed)) return undefined
  const present = stepAt(given.now)
  const steps = Array.from({ length: 2 * TOLERATED_STEPS + 1 }, (_, index) => present - TOLERATED_STEPS + index)
  // All are compared, so that the time taken does not reveal which one matches.
  const fitting = steps.filter((step) => isEqual(codeOf(secret, step), typed))
  return fitting.find((step) => step > given.after)
}

/** The URI for the QR code of an authenticator app (the "Key Uri Format" of Google Authenticator). */
export const uriOf = (given: { secret: string; host: string; account: string }): string => {
  const label = `${encodeURIComponent(given.host)}:${encodeURIComponent(given.account)}`
  return `otpauth://totp/${label}?secret=${given.secret}&issuer=${encodeURIComponent(given.host)}`
}
