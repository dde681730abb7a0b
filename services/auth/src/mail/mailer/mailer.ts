import { openConnection } from '@rookery/handles'
import type { Transporter } from 'nodemailer'
import type { SMTPTransportGetSocket } from 'nodemailer/lib/smtp-transport'
import { memoizeAsync } from '../../memoize-async.ts'
import { MailError, mailError } from './mail-error.ts'

/** A mail in plain text. */
export type Mail = {
  to: string
  subject: string
  text: string
  /** The Message-ID, the same for each attempt. */
  id?: string
  /** The URL for one-click unsubscription by POST (RFC 8058). */
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

export type Mailer = {
  /** Whether a mail server is configured. */
  readonly canSend: boolean
  /** Resolves when the mail server has accepted the mail. @throws Error if it has not */
  send(mail: Mail): Promise<void>
  /** Why the mail server is unusable, checked within five seconds; undefined if it works. */
  fault(): Promise<string | undefined>
}

/** Timeouts for a mail server, in milliseconds. */
type MailTimeouts = {
  /** For the connection, and again for the greeting. */
  readonly connect: number
  /** For each reply. RFC 5321 (4.5.3.2) allows minutes for some, but a slow server delays other mail. */
  readonly reply: number
  /** For the whole delivery of a mail. */
  readonly whole: number
}

/**
 * The maximum size of a server's replies to one mail, in bytes, including TLS certificates: a reply line has at most 512 (RFC 5321,
 * 4.5.3.1.5).
 */
const MAX_BYTES = 256 * 1024

const TIMEOUTS: MailTimeouts = { connect: 10_000, reply: 60_000, whole: 90_000 }
/** Timeouts of the health check. */
const CHECK_TIMEOUTS: MailTimeouts = { connect: 5000, reply: 5000, whole: 5000 }

const PORT = 587
const SECURE_PORT = 465

type Settings = {
  smtpUrl: string
  from: string
  timeouts?: MailTimeouts
}

/** Opens a transport. The library is loaded with the first mail, because most development servers never send one. */
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

/** Sends mail by the server of an smtp:// or smtps:// URL, with a connection for each mail. Its errors are safe to log. */
export const smtpMailer = (given: Settings): Mailer => {
  const transport = memoizeAsync(() => openTransport(given, given.timeouts ?? TIMEOUTS))
  return {
    canSend: true,
    async send(mail) {
      // An object, so that the address is not parsed as a list.
      const { to, subject, text, id } = mail
      const message = { to: { name: '', address: to }, subject, text, headers: headersOf(mail), ...(id && { messageId: id }) }
      const opened = await transport()
      const { response } = await opened.sendMail(message).catch((error) => {
        throw mailError(error, given.smtpUrl)
      })
      // The library treats any reply that is not an error code as success.
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

/** The mailer of a server without SMTP. */
export const noMailer: Mailer = {
  canSend: false,
  send: () => Promise.reject(new Error('This server has no SMTP_URL and cannot send mail.')),
  fault: async () => undefined,
}
