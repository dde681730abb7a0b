import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { PasswordCost } from '@rookery/runtime'

const derive = promisify(argon2)

/** The cost of hashing: 19 MiB and two passes, the minimum of OWASP's Password Storage Cheat Sheet for argon2id. */
const COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const HASH_BYTES = 32
const SALT_BYTES = 16
/** Argon2 1.3, RFC 9106 section 3.1. */
const VERSION = 19

type Hashed = { cost: PasswordCost; salt: Buffer; hash: Buffer }

const compute = (password: string, salt: Buffer, length: number, cost: PasswordCost) =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, tagLength: length, ...cost })

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const write = ({ cost, salt, hash }: Hashed) =>
  `$argon2id$v=${VERSION}$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

const read = (text: string): Hashed => {
  const [, memory, passes, parallelism, salt, hash] = PHC.exec(text) ?? []
  if (!salt || !hash) throw new Error('A stored password is not a PHC string of argon2id.')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  // A longer hash is locked.
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64').subarray(0, HASH_BYTES) }
}

/** Hashes a password with argon2id, in the PHC string format. */
export const hashPassword = async (password: string, cost: PasswordCost = COST): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  return write({ cost, salt, hash: await compute(password, salt, HASH_BYTES, cost) })
}

const UNLOCKED = /\$[A-Za-z0-9+/]{43}$/

/**
 * The stored password of a login with a second factor. Its hash is one character longer, so that a version without second factors computes
 * a hash of another length and rejects every password (docs/decisions/0033).
 */
export const locked = (stored: string): string => (UNLOCKED.test(stored) ? `${stored}2` : stored)

/** Reverses `locked`, when the second factor is turned off. */
export const unlocked = (stored: string): string => (UNLOCKED.test(stored) ? stored : stored.slice(0, -1))

/** Whether a password matches the stored hash. */
export const isPassword = async (password: string, stored: string): Promise<boolean> => {
  const { cost, salt, hash } = read(stored)
  return timingSafeEqual(hash, await compute(password, salt, hash.length, cost))
}

const unusable: Hashed = { cost: COST, salt: randomBytes(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }

/** Takes as long as `isPassword` and is always false: for unknown logins, so that timing does not reveal that they are unknown. */
export const isUnusedPassword = async (password: string): Promise<false> => {
  await isPassword(password, write(unusable))
  return false
}

const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Generates a password: 20 letters and digits without look-alikes, 116 bits of entropy. */
export const makePassword = (): string => Array.from({ length: 20 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
