import { memoizeAsync } from '../../memoize-async.ts'

/** A letter in plain text. */
export type Mail = {
  to: string
  subject: string
  text: string
  /** Its Message-ID: the same for a letter that is sent again. */
  id?: string
  /** An address to which a POST ends letters like this one (RFC 8058). */
  unsubscribe?: string
}

const headersOf = ({ unsubscribe }: Mail): Record<string, string> =>
  unsubscribe
    ? {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      }
    : {}

/** Sends letters. */
export type Mailer = {
  /** Whether there is a mail server at all. */
  readonly canSend: boolean
  /** Resolves when the mail server has taken the letter. @throws Error when it has not */
  send(mail: Mail): Promise<void>
  /** Why the mail server takes no letters now, if it answers within five seconds that it does not, or not at all. */
  fault(): Promise<string | undefined>
}

/** How long the mail server may take for each step when it is asked how it is, in milliseconds. */
const CHECK_TIMEOUT = 5000

/**
 * Sends by the server an smtp:// or smtps:// URL names, over a connection a letter. The library is loaded with the first letter, because
 * most servers on their makers' machines never send one.
 */
export const smtpMailer = (given: { smtpUrl: string; from: string }): Mailer => {
  const transport = memoizeAsync(async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport(given.smtpUrl, { from: given.from })
  })
  return {
    canSend: true,
    async send(mail) {
      // As an object, the address cannot be read as a list of several.
      const { to, subject, text, id } = mail
      const message = { to: { name: '', address: to }, subject, text, headers: headersOf(mail), ...(id && { messageId: id }) }
      await (await transport()).sendMail(message)
    },
    async fault() {
      const { createTransport } = await import('nodemailer')
      const timeouts = { connectionTimeout: CHECK_TIMEOUT, greetingTimeout: CHECK_TIMEOUT, socketTimeout: CHECK_TIMEOUT }
      const checked = createTransport({ url: given.smtpUrl, ...timeouts })
      const found = await checked.verify().then(
        () => undefined,
        (error: Error) => error.message,
      )
      checked.close()
      return found
    },
  }
}

/** The mailer of a server that confirms addresses by itself and so sends no mail. */
export const noMailer: Mailer = {
  canSend: false,
  send: () => Promise.reject(new Error('This server has no SMTP_URL and cannot send mail.')),
  fault: async () => undefined,
}
