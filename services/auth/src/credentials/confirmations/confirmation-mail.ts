import { languageOf } from '@rookery/pages'
import type { Mail } from '../../mail/mailer/index.ts'
import { textsOf } from '../../web/html/index.ts'

/** The mail that asks for confirmation of an address, in the language closest to the locale. Plain text: there is nothing to format. */
export const confirmationMail = (given: { to: string; locale: string; link: string; host: string }): Mail => {
  const { mail } = textsOf(languageOf(given.locale))
  const text = [mail.greeting, mail.why(given.host), given.link, mail.ignore].join('\n\n')
  return { to: given.to, subject: mail.subject(given.host), text: `${text}\n` }
}
