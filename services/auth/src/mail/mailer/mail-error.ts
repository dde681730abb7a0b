/** A mail server did not take a letter. Says why in words that may be logged. */
export class MailError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MailError'
  }
}

const MAX_CHARACTERS = 300

/** The ways in which a user and password are sent (RFC 4954, RFC 4616), and those in which they are written. */
const credentialsOf = (smtpUrl: string): string[] => {
  const { username, password } = new URL(smtpUrl)
  const [user, pass] = [username, password].map((each) => decodeURIComponent(each)) as [string, string]
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const sent = pass ? [base64(`\0${user}\0${pass}`), base64(pass), password, pass] : []
  return [...sent, ...(user ? [base64(user), username, user] : [])]
}

/**
 * A mail error in a line. A mail server may repeat what it was sent in its replies, so the line has neither the user, the password nor any
 * address, and of a reply to a sign-in only the code.
 */
export const mailError = (cause: unknown, smtpUrl: string): MailError => {
  const { message, command, responseCode } = cause as { message?: string; command?: string; responseCode?: number }
  if (command?.startsWith('AUTH')) return new MailError(`the mail server refuses the sign-in${responseCode ? ` (${responseCode})` : ''}`)
  let said = String(message)
  for (const secret of credentialsOf(smtpUrl)) said = said.replaceAll(secret, '***')
  // Printed in one line, by terminals too. Cut first: no address is longer, and a reply may be.
  said = said.replace(/\p{C}+/gu, ' ').slice(0, 2 * MAX_CHARACTERS)
  return new MailError(said.replace(/[^\s@<>]*@[^\s@<>]*/g, '***').slice(0, MAX_CHARACTERS))
}
