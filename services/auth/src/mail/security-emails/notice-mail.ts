import { languageOf } from '@rookery/pages'
import { type NoticeKind, textsOf } from '../../web/html/index.ts'
import type { Mail } from '../mailer/index.ts'

/**
 * A notice about a login; `more` is a text by staff, `strike` the path of the act. `to` is given, because it may be the previous address.
 */
export type Notice = { to: string; locale: string; kind: NoticeKind; more?: string; strike?: string }

/** Notices of changes that another person may have made. */
const MAY_BE_ANOTHERS: ReadonlySet<NoticeKind> = new Set([
  'passwordChanged',
  'emailChanging',
  'emailChanged',
  'secondFactorOn',
  'secondFactorOff',
  'recoveryCodesMade',
  'recoveryCodeUsed',
  'wrongCode',
  'passkeyAdded',
  'passkeyRemoved',
])

/** The mail of a notice, in the language closest to the locale. */
export const noticeMail = ({ to, locale, kind, more, strike }: Notice, baseUrl: string): Mail => {
  const { host } = new URL(baseUrl)
  const { mail, noticeMails } = textsOf(languageOf(locale))
  const { subject, text } = noticeMails[kind]
  const link = strike ? [noticeMails.strike(`${baseUrl}${strike}`)] : []
  const warning = MAY_BE_ANOTHERS.has(kind) ? [noticeMails.ifNotYou] : []
  return { to, subject: subject(host), text: `${[mail.greeting, text(host), ...(more ? [more] : []), ...link, ...warning].join('\n\n')}\n` }
}
