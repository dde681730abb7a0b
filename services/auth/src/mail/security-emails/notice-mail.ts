import { languageOf } from '@rookery/pages'
import { type NoticeKind, textsOf } from '../../web/html/index.ts'
import type { Mail } from '../mailer/index.ts'

/** What a notice says and to whom; `more` is what someone wrote for it. The address is given, because it may be one the person has no more. */
export type Notice = { to: string; locale: string; kind: NoticeKind; more?: string }

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
export const noticeMail = ({ to, locale, kind, more }: Notice, host: string): Mail => {
  const { mail, noticeMails } = textsOf(languageOf(locale))
  const { subject, text } = noticeMails[kind]
  const warning = MAY_BE_ANOTHERS.has(kind) ? [noticeMails.ifNotYou] : []
  return { to, subject: subject(host), text: `${[mail.greeting, text(host), ...(more ? [more] : []), ...warning].join('\n\n')}\n` }
}
