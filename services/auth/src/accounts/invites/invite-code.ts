import { randomInt } from 'node:crypto'

/** Letters and digits without look-alikes, for copying by hand. */
const SIGNS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
/** 93 bits of entropy: not guessable. */
const LENGTH = 16

/** Generates an invitation code. */
export const makeInviteCode = (): string => Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/** Whether a text has the form of a code. */
export const isInviteCode = (text: string): boolean => /^[A-Za-z0-9]{1,64}$/.test(text)
