import { languageOf } from '@rookery/pages'
import type { Mail } from '../../mail/mailer/index.ts'
import { textsOf } from '../../web/html/index.ts'

/** The mail with the link that sets a new password, in the language closest to the locale. */
export const resetMail = (given: { to: string; locale: string; link: string; host: string }): Mail => {
  const { mail, resetMail: texts } = textsOf(languageOf(given.locale))
  const text = [mail.greeting, texts.why(given.host), given.link, texts.ignore].join('\n\n')
  return { to: given.to, subject: texts.subject(given.host), text: `${text}\n` }
}
