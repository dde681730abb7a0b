import { createTransport } from 'nodemailer'

/** A letter in plain text. */
export type Mail = { to: string; subject: string; text: string }

/** Sends letters. */
export type Mailer = {
  /** Resolves when the mail server has taken the letter. @throws Error when it has not */
  send(mail: Mail): Promise<void>
  close(): void
}

/** Sends by the server an smtp:// or smtps:// URL names. The connection is opened when there is something to send. */
export const smtpMailer = (given: { smtpUrl: string; from: string }): Mailer => {
  const transport = createTransport(given.smtpUrl, { from: given.from })
  return {
    send: async (mail) => {
      // As an object, the address cannot be read as a list of several.
      await transport.sendMail({ ...mail, to: { name: '', address: mail.to } })
    },
    close: () => transport.close(),
  }
}

/** The mailer of a server that confirms addresses by itself and so sends no mail. */
export const noMailer: Mailer = {
  send: () => Promise.reject(new Error('This server has no SMTP_URL and cannot send mail.')),
  close: () => {},
}
