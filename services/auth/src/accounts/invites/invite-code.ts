import { randomInt } from 'node:crypto'

/** Letters and digits that are not taken for one another when someone copies them by hand. */
const SIGNS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** Ninety-three bits: no one guesses one. */
const LENGTH = 16

/** A new code of an invitation. */
export const makeInviteCode = (): string => Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** Whether a text may be a code. */
export const isInviteCode = (text: string): boolean => /^[A-Za-z0-9]{1,64}$/.test(text)
