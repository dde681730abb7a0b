import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Request, Response } from 'express'
import { makeSecret } from '../../secrets.ts'
import { FORM_TOKEN } from '../html/index.ts'
import { cookieOf } from './cookie.ts'
import { PageFault } from './fault.ts'
import { type Parameters, readParameters, readUpload, textOf, type Upload } from './parameters.ts'

/** CSRF protection: the form token must match the browser's cookie. */
export type FormTokens = {
  /** The token for the forms of a page; sets the cookie if it is missing. */
  issue(request: Request, response: Response): Promise<string>
  /** Reads a form. @throws PageFault if its token does not match the cookie */
  read(request: Request): Promise<Parameters>
  /** Reads a form with a text file, likewise. */
  readUpload(request: Request): Promise<Upload>
}

/** Signs a text, which is readable, and verifies it later; valid until a time in milliseconds since 1970. */
export type Tickets = {
  seal(text: string, until: number): Promise<string>
  /** The text of a valid ticket; undefined if it is forged or expired. */
  open(ticket: string, now: number): Promise<string | undefined>
}

const isEqual = (text: string, other: string) => {
  const [a, b] = [Buffer.from(text), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The keys shared by all replicas: the first signs, all verify. */
type Keys = () => Promise<readonly string[]>

/** Signatures (HMAC-SHA256) with keys shared by all replicas. Texts of each purpose must begin with a distinct word. */
export const createSeals = (keys: Keys) => {
  const sealBy = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return {
    seal: async (text: string) => sealBy((await keys())[0] ?? '', text),
    isSealed: async (text: string, seal: string) => (await keys()).some((key) => isEqual(seal, sealBy(key, text))),
  }
}

export type Seals = ReturnType<typeof createSeals>

/** Form tokens. Over https the prefix of the cookie's name prevents other hosts from setting it. */
export const createFormTokens = (given: { keys: Keys; isSecure: boolean }): FormTokens => {
  const name = given.isSecure ? '__Host-rookery_form' : 'rookery_form'
  const { seal, isSealed } = createSeals(given.keys)
  const check = async (request: Request, parameters: Parameters) => {
    const cookie = cookieOf(request, name)
    const token = textOf(parameters, FORM_TOKEN)
    const isOurs = cookie !== undefined && token !== undefined && (await isSealed(`form ${cookie}`, token))
    if (!isOurs) throw new PageFault('stale_form', 403)
  }
  return {
    async issue(request, response) {
      const known = cookieOf(request, name)
      const cookie = known && /^[\w-]{43}$/.test(known) ? known : makeSecret()
      if (cookie !== known) response.cookie(name, cookie, { httpOnly: true, sameSite: 'lax', secure: given.isSecure, path: '/' })
      return seal(`form ${cookie}`)
    },
    async read(request) {
      const parameters = await readParameters(request)
      await check(request, parameters)
      return parameters
    },
    async readUpload(request) {
      const upload = await readUpload(request)
      await check(request, upload.parameters)
      return upload
    },
  }
}

/** Tickets signed with the same keys; a ticket is valid only for its purpose. */
export const createTickets = (given: { keys: Keys; purpose: string }): Tickets => {
  const { seal, isSealed } = createSeals(given.keys)
  return {
    async seal(text, until) {
      const body = `${text}.${until}`
      return `${body}.${await seal(`${given.purpose} ${body}`)}`
    },
    async open(ticket, now) {
      const [text = '', until = '', sealed = ''] = ticket.split('.')
      return (await isSealed(`${given.purpose} ${text}.${until}`, sealed)) && Number(until) > now ? text : undefined
    },
  }
}
