import type { Mail } from '../mail/index.ts'
import { languageOf, type NoticeKind, textsOf } from '../pages/index.ts'

/** What a notice says and to whom. The address is given, because it may be one the person has no more. */
export type Notice = { to: string; locale: string; kind: NoticeKind }

/** A mail that tells somebody what has happened to their login, in the language closest to the locale. */
export const noticeMail = ({ to, locale, kind }: Notice, host: string): Mail => {
  const { mail, noticeMails } = textsOf(languageOf(locale))
  const { subject, text } = noticeMails[kind]
  return { to, subject: subject(host), text: `${[mail.greeting, text(host), noticeMails.ifNotYou].join('\n\n')}\n` }
}
