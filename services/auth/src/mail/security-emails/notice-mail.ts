import { languageOf } from '@rookery/pages'
import { type NoticeKind, textsOf } from '../../web/html/index.ts'
import type { Mail } from '../mailer/index.ts'

/** What a notice says and to whom; `more` is what someone wrote for it, `strike` the path of the act it is about. The address is given, because it may be one the person has no more. */
export type Notice = { to: string; locale: string; kind: NoticeKind; more?: string; strike?: string }

/** What someone else may have done with a login that was not theirs. */
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

/** A mail that tells someone what has happened to their login, in the language closest to the locale. */
export const noticeMail = ({ to, locale, kind, more, strike }: Notice, baseUrl: string): Mail => {
  const { host } = new URL(baseUrl)
  const { mail, noticeMails } = textsOf(languageOf(locale))
  const { subject, text } = noticeMails[kind]
  const link = strike ? [noticeMails.strike(`${baseUrl}${strike}`)] : []
  const warning = MAY_BE_ANOTHERS.has(kind) ? [noticeMails.ifNotYou] : []
  return { to, subject: subject(host), text: `${[mail.greeting, text(host), ...(more ? [more] : []), ...link, ...warning].join('\n\n')}\n` }
}
