import { openConnection } from '@rookery/handles'
import type { Transporter } from 'nodemailer'
import type { SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import { memoizeAsync } from '../../memoize-async.ts'
import { MailError, mailError } from './mail-error.ts'

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

/** How long a mail server may take, in milliseconds. */
type MailTimeouts = {
  /** Until it is connected, and then until it has greeted. */
  readonly connect: number
  /** For each of its replies. RFC 5321 (4.5.3.2) gives a server minutes for some; one that needs them keeps other mail waiting. */
  readonly reply: number
  /** For the whole of a letter. */
  readonly whole: number
}

/** What a server may say about one letter, in bytes, its certificates included: a line of a reply has 512 at most (RFC 5321, 4.5.3.1.5). */
const MAX_BYTES = 256 * 1024

const TIMEOUTS: MailTimeouts = { connect: 10_000, reply: 60_000, whole: 90_000 }
/** When the mail server is asked how it is. */
const CHECK_TIMEOUTS: MailTimeouts = { connect: 5000, reply: 5000, whole: 5000 }

const PORT = 587
const SECURE_PORT = 465

type Settings = {
  smtpUrl: string
  from: string
  timeouts?: MailTimeouts
}

/** A way to the mail server. The library is loaded with the first letter, because most servers on their makers' machines never send one. */
const openTransport = async ({ smtpUrl, from }: Settings, timeouts: MailTimeouts): Promise<Transporter> => {
  const { createTransport } = await import('nodemailer')
  const limits = { connectionTimeout: timeouts.connect, greetingTimeout: timeouts.connect, socketTimeout: timeouts.reply }
  const getSocket: SMTPTransportGetSocket = ({ host = 'localhost', port, secure }, done) => {
    const address = { host, port: Number(port) || (secure ? SECURE_PORT : PORT) }
    const bounds = { connectMilliseconds: timeouts.connect, milliseconds: timeouts.whole, maxBytes: MAX_BYTES }
    void openConnection(address, bounds).then(
      (connection) => done(null, { connection }),
      (error) => done(error),
    )
  }
  return createTransport({ url: smtpUrl, ...limits, getSocket }, { from })
}

/** Sends by the server an smtp:// or smtps:// URL names, over a connection a letter. What it throws may be logged. */
export const smtpMailer = (given: Settings): Mailer => {
  const transport = memoizeAsync(() => openTransport(given, given.timeouts ?? TIMEOUTS))
  return {
    canSend: true,
    async send(mail) {
      // As an object, the address cannot be read as a list of several.
      const { to, subject, text, id } = mail
      const message = { to: { name: '', address: to }, subject, text, headers: headersOf(mail), ...(id && { messageId: id }) }
      const opened = await transport()
      const { response } = await opened.sendMail(message).catch((error) => {
        throw mailError(error, given.smtpUrl)
      })
      // The library takes every reply for a yes that does not begin as a no does.
      if (!/^250\b/.test(String(response))) throw new MailError('the mail server neither takes the letter nor refuses it')
    },
    async fault() {
      const checked = await openTransport(given, given.timeouts ?? CHECK_TIMEOUTS)
      const found = await checked.verify().then(
        () => undefined,
        (error: Error) => mailError(error, given.smtpUrl).message,
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
