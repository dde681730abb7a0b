import { languageOf } from '@rookery/pages'
import { textsOf } from '../web/html/index.ts'
import type { Mail } from './mailer/index.ts'

/** The purpose of a mailed link: confirming an address, resetting a password, or changing the address. */
type LinkMail = 'mail' | 'resetMail' | 'emailChangeMail'

/** A mail with a link, in the language closest to the locale, in plain text. */
export const linkMail = (
  purpose: LinkMail,
  { to, locale, link, host }: { to: string; locale: string; link: string; host: string },
): Mail => {
  const texts = textsOf(languageOf(locale))
  const { subject, why, ignore } = texts[purpose]
  const text = [texts.mail.greeting, why(host), link, ignore].join('\n\n')
  return { to, subject: subject(host), text: `${text}\n` }
}
