import { randomBytes } from 'node:crypto'
import { toBase32 } from './base32.ts'

/** The number of recovery codes in a set. */
const RECOVERY_CODES = 10

/** 80 bits, shown as sixteen characters: too many to recover from a digest. */
const CODE_BYTES = 10

/** Generates recovery codes, formatted for writing down. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(CODE_BYTES))
      .toLowerCase()
      .replace(/.{4}(?=.)/g, '$&-'),
  )

/** Normalises a recovery code for comparison: case, spaces and hyphens do not matter. */
export const normalRecoveryCode = (typed: string): string => typed.toLowerCase().replace(/[^a-z0-9]/g, '')
