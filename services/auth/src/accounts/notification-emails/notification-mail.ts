import { addresses, shortened } from '@rookery/entities'
import { languageOf } from '@rookery/pages'
import type { Mail } from '../../mail/mailer/index.ts'
import { type Texts, textsOf } from '../../web/html/index.ts'
import { isOfStaff, type MailKind, mailedTypeOf } from './mail-kinds.ts'
import type { Subject } from './subject.rules.ts'

/** In characters; longer than most posts. */
const MAX_EXCERPT = 1000
const MAX_EXCERPT_IN_DIGEST = 140
const MAX_NAME = 80
/** Maximum number of notifications that a digest shows; it counts the others. */
const MAX_IN_DIGEST = 10

/** The recipient of a mail, and the data that all mails have. */
export type Envelope = {
  readonly to: string
  readonly locale: string
  readonly baseUrl: string
  /** The link that unsubscribes from this kind of mail (RFC 8058). */
  readonly unsubscribe: string
  /** The Message-ID; a mail that is sent again has the same, so that mail programs show it once. */
  readonly id: string
}

/** A display name without line breaks and control characters. */
const nameOf = ({ displayName }: Subject) => shortened(displayName.replace(/[\s\p{Cc}]+/gu, ' '), MAX_NAME)

const addressOf = ({ username, statusId }: Subject, baseUrl: string) => {
  const at = addresses(baseUrl)
  return statusId ? at.status(username, statusId) : at.profile(username)
}

const sentenceOf = ({ notificationMails: { sentences } }: Texts, { type }: Subject, who: string, host: string) => {
  const kind = mailedTypeOf(type)
  return kind && sentences[kind](who, host)
}

const quoted = (text: string) => text.replace(/^/gm, '> ')

/** A notification in plain text: a sentence, an excerpt of the status, and a link. */
const paragraphs = (texts: Texts, subject: Subject, { baseUrl, maxExcerpt }: { baseUrl: string; maxExcerpt: number }): string[] => {
  const { host } = new URL(baseUrl)
  const sentence = sentenceOf(texts, subject, `${nameOf(subject)} (@${subject.username})`, host)
  const excerpt = shortened(subject.excerpt, maxExcerpt)
  return [excerpt ? `${sentence}:\n\n${quoted(excerpt)}` : `${sentence}.`, addressOf(subject, baseUrl)]
}

/** Adds a greeting, the reason for the mail and the link to unsubscribe. */
export const mailOf = (envelope: Envelope, kind: MailKind, mail: { subject: string; body: readonly string[] }): Mail => {
  const texts = textsOf(languageOf(envelope.locale))
  const { kinds } = texts.notificationMails
  const { why } = isOfStaff(kind) ? texts.staffMails : texts.notificationMails
  const { to, id, unsubscribe } = envelope
  const text = [texts.mail.greeting, ...mail.body, `-- \n${why(kinds[kind])}\n${unsubscribe}`].join('\n\n')
  return { to, id, unsubscribe, subject: mail.subject, text: `${text}\n` }
}

/** The mail about one notification, in plain text. */
export const notificationMail = (envelope: Envelope, kind: MailKind, subject: Subject): Mail => {
  const texts = textsOf(languageOf(envelope.locale))
  const { baseUrl } = envelope
  return mailOf(envelope, kind, {
    subject: sentenceOf(texts, subject, nameOf(subject), new URL(baseUrl).host) ?? '',
    body: paragraphs(texts, subject, { baseUrl, maxExcerpt: MAX_EXCERPT }),
  })
}

/** The digest of unread notifications, newest first; `hasMore` if there may be more than these. */
export const digestMail = (envelope: Envelope, subjects: readonly Subject[], hasMore: boolean): Mail => {
  const texts = textsOf(languageOf(envelope.locale))
  const { baseUrl } = envelope
  const { host } = new URL(baseUrl)
  const { digest } = texts.notificationMails
  const listed = subjects.filter(({ type }) => mailedTypeOf(type)).slice(0, MAX_IN_DIGEST)
  const others = subjects.length - listed.length
  return mailOf(envelope, 'digest', {
    subject: digest.subject(host),
    body: [
      digest.lead(`${subjects.length}${hasMore ? '+' : ''}`, host),
      ...listed.flatMap((subject) => paragraphs(texts, subject, { baseUrl, maxExcerpt: MAX_EXCERPT_IN_DIGEST })),
      ...(listed.length > 0 && others > 0 ? [digest.others(others)] : []),
    ],
  })
}
