import { randomBytes } from 'node:crypto'
import { toBase32 } from './base32.ts'

/** How many recovery codes someone is given at a time. */
const RECOVERY_CODES = 10

/** 80 bits, as sixteen letters and digits: too many to be found from a digest. */
const CODE_BYTES = 10

/** New recovery codes, as people write them down. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(CODE_BYTES))
      .toLowerCase()
      .replace(/.{4}(?=.)/g, '$&-'),
  )

/** A recovery code as it is compared: case, spaces and hyphens do not matter. */
export const normalRecoveryCode = (typed: string): string => typed.toLowerCase().replace(/[^a-z0-9]/g, '')
