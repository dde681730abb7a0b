/** RFC 5321, 4.5.3.1: a path has 256 octets, two of them its brackets. */
export const MAX_EMAIL_LENGTH = 254
const MAX_LOCAL_BYTES = 64

/**
 * Words joined by dots. Of the signs that RFC 5321 allows only those in use: `%` and `!` once named a route past a server, `=?…?=` is an
 * encoded word that mail programs decode into another address, and quoted names are refused by most servers.
 */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}_+'&~=-]+(?:\.[\p{L}\p{M}\p{N}_+'&~=-]+)*$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const MAX_DOMAIN_LENGTH = 253

/** The domain of an e-mail address, as the DNS knows it; empty when it is none. */
export const domainOf = (email: string): string => {
  const typed = email.slice(email.lastIndexOf('@') + 1)
  const domain = URL.parse(`http://${typed}`)?.hostname ?? ''
  return /[/?#:\\@%]/.test(typed) ? '' : domain
}

const isDomain = (domain: string) => {
  const labels = domain.split('.')
  // A name that ends in a number is an address, and no mail goes there.
  return domain.length <= MAX_DOMAIN_LENGTH && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!)
}

/** Whether text is an e-mail address that mail can be sent to (RFC 5321, 4.1.2, as far as it is in use). */
export const isEmail = (email: string): boolean => {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(0, at))
  return LOCAL_PART.test(local) && Buffer.byteLength(local) <= MAX_LOCAL_BYTES && isDomain(domainOf(email))
}
