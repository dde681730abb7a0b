/** A mail server did not accept a mail. The message is safe to log. */
export class MailError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MailError'
  }
}

const MAX_CHARACTERS = 300

/** The user name and password as written in the URL and as sent (RFC 4954, RFC 4616). */
const credentialsOf = (smtpUrl: string): string[] => {
  const { username, password } = new URL(smtpUrl)
  const [user, pass] = [username, password].map((each) => decodeURIComponent(each)) as [string, string]
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const sent = pass ? [base64(`\0${user}\0${pass}`), base64(pass), password, pass] : []
  return [...sent, ...(user ? [base64(user), username, user] : [])]
}

/**
 * A mail error in one line. A mail server may echo what it was sent, so user name, password and addresses are redacted, and of a reply to
 * AUTH only the code is kept.
 */
export const mailError = (cause: unknown, smtpUrl: string): MailError => {
  const { message, command, responseCode } = cause as { message?: string; command?: string; responseCode?: number }
  if (command?.startsWith('AUTH')) return new MailError(`the mail server refuses the sign-in${responseCode ? ` (${responseCode})` : ''}`)
  let said = String(message)
  for (const secret of credentialsOf(smtpUrl)) said = said.replaceAll(secret, '***')
  // One line, without control characters. Cut before the addresses are replaced, since a reply may be long.
  said = said.replace(/\p{C}+/gu, ' ').slice(0, 2 * MAX_CHARACTERS)
  return new MailError(said.replace(/[^\s@<>]*@[^\s@<>]*/g, '***').slice(0, MAX_CHARACTERS))
}
