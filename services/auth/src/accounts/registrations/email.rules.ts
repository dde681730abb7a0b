/** RFC 5321, 4.5.3.1: a path has at most 256 octets, including two brackets. */
export const MAX_EMAIL_LENGTH = 254
const MAX_LOCAL_BYTES = 64

/**
 * Words joined by dots. Of the characters that RFC 5321 allows only those in use: `%` and `!` were once source routes, `=?…?=` is an
 * encoded word that mail programs decode into another address, and most servers refuse quoted names.
 */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}_+'&~=-]+(?:\.[\p{L}\p{M}\p{N}_+'&~=-]+)*$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const MAX_DOMAIN_LENGTH = 253

/** The domain of an e-mail address as in the DNS (punycode); empty if invalid. */
export const domainOf = (email: string): string => {
  const typed = email.slice(email.lastIndexOf('@') + 1)
  const domain = URL.parse(`http://${typed}`)?.hostname ?? ''
  return /[/?#:\\@%]/.test(typed) ? '' : domain
}

const isDomain = (domain: string) => {
  const labels = domain.split('.')
  // A name that ends in a number is an IP address, which is no domain for mail.
  return domain.length <= MAX_DOMAIN_LENGTH && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!)
}

/** Whether a text is an e-mail address in common use (RFC 5321, 4.1.2, without its rare forms). */
export const isEmail = (email: string): boolean => {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(0, at))
  return LOCAL_PART.test(local) && Buffer.byteLength(local) <= MAX_LOCAL_BYTES && isDomain(domainOf(email))
}
