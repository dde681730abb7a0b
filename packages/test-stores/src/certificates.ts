import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate authority of a test, in PEM files. */
export type TestAuthority = {
  /** Its certificate: the file, and its content. */
  readonly file: string
  readonly pem: string
  /** Issues a certificate for this machine. `both` is a file with key and certificate. */
  issue(name: string): { certificate: string; key: string; both: string }
  /** Deletes all of its files. */
  remove(): void
}

/** Why certificates cannot be issued here, or undefined. */
export const whyNoCertificates = (): string | undefined =>
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl is not installed'

const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' })
const FRESH = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']

/** Creates an authority. Others may read its files: stores may run as another user. */
export const makeAuthority = (name: string): TestAuthority => {
  const folder = mkdtempSync(join(tmpdir(), 'authority-'))
  chmodSync(folder, 0o755)
  const [file, ownKey] = [join(folder, 'authority.pem'), join(folder, 'authority.key')]
  openssl('req', '-x509', ...FRESH, '-subj', `/CN=${name}`, '-keyout', ownKey, '-out', file)
  return {
    file,
    pem: readFileSync(file, 'utf8'),
    issue(subject) {
      const [certificate, key, both] = ['pem', 'key', 'both'].map((end) => join(folder, `${subject}.${end}`)) as [string, string, string]
      const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-addext', 'basicConstraints=CA:FALSE']
      const signed = ['-CA', file, '-CAkey', ownKey, '-subj', `/CN=${subject}`, ...names]
      openssl('req', '-x509', ...FRESH, ...signed, '-keyout', key, '-out', certificate)
      writeFileSync(both, readFileSync(key, 'utf8') + readFileSync(certificate, 'utf8'))
      return { certificate, key, both }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Access to a store over TLS: the authority, and the user with its password. */
export type Guarded = { authority: TestAuthority; username: string; password: string }
