import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { PasswordCost } from '@rookery/runtime'

const derive = promisify(argon2)

/** What hashing costs: 19 MiB and two passes, the least OWASP's Password Storage Cheat Sheet recommends for argon2id. */
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
  // A longer one is locked.
  return { cost, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64').subarray(0, HASH_BYTES) }
}

/** A password as it is stored: argon2id in the PHC string format. */
export const hashPassword = async (password: string, cost: PasswordCost = COST): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  return write({ cost, salt, hash: await compute(password, salt, HASH_BYTES, cost) })
}

const UNLOCKED = /\$[A-Za-z0-9+/]{43}$/

/**
 * The stored password of someone with a second factor. Its hash has one character more, so that a version that does not ask for the second
 * factor computes a hash of another length, and finds every password wrong (docs/decisions/0033).
 */
export const locked = (stored: string): string => (UNLOCKED.test(stored) ? `${stored}2` : stored)

/** The same once the second factor is off. */
export const unlocked = (stored: string): string => (UNLOCKED.test(stored) ? stored : stored.slice(0, -1))

/** Whether a password is the stored one. */
export const isPassword = async (password: string, stored: string): Promise<boolean> => {
  const { cost, salt, hash } = read(stored)
  return timingSafeEqual(hash, await compute(password, salt, hash.length, cost))
}

const unusable: Hashed = { cost: COST, salt: randomBytes(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }

/** Takes as long as checking a password and always says no: for addresses without a login, so that the time does not reveal that. */
export const isUnusedPassword = async (password: string): Promise<false> => {
  await isPassword(password, write(unusable))
  return false
}

const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password to hand out: 20 letters and digits that are not mistaken for each other, 116 bits. */
export const makePassword = (): string => Array.from({ length: 20 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
