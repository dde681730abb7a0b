import { createHash, timingSafeEqual } from 'node:crypto'
import { type ChannelCredentials, credentials as channelCredentials, experimental, type Metadata, ServerCredentials } from '@grpc/grpc-js'

/** PEM files: the CA certificate, and the certificate and key of this process. They are reloaded when they change. */
export type CertificateFiles = { readonly authority: string; readonly certificate: string; readonly key: string }

/** How services authenticate each other: by a shared key, by certificates, by both, or, on one machine, not at all. */
export type RpcCredentials = {
  /** Calls are made with the first; any is accepted, so that keys can be rotated. */
  readonly keys: readonly string[]
  readonly certificates: CertificateFiles | undefined
}

const HEADER = 'rookery-key'
const REFRESH_MILLISECONDS = 60_000

const digestOf = (key: string) => createHash('sha256').update(key).digest()

/** Adds the key to a call's metadata. */
export const withKey = (metadata: Metadata, credentials: RpcCredentials | undefined): Metadata => {
  const key = credentials?.keys[0]
  if (key !== undefined) metadata.set(HEADER, key)
  return metadata
}

/** Whether a call carries an accepted key. All keys are compared, each in constant time. */
export const keyCheck = (credentials: RpcCredentials | undefined): ((metadata: Metadata) => boolean) => {
  const digests = credentials?.keys.map(digestOf) ?? []
  if (digests.length === 0) return () => true
  return (metadata) => {
    const given = digestOf(String(metadata.get(HEADER)[0] ?? ''))
    return digests.map((digest) => timingSafeEqual(digest, given)).includes(true)
  }
}

const watcherOf = ({ authority, certificate, key }: CertificateFiles) =>
  new experimental.FileWatcherCertificateProvider({
    caCertificateFile: authority,
    certificateFile: certificate,
    privateKeyFile: key,
    refreshIntervalMs: REFRESH_MILLISECONDS,
  })

/** The credentials of a caller: mutual TLS if there are certificates. */
export const callerCredentials = (credentials: RpcCredentials | undefined): ChannelCredentials => {
  if (!credentials?.certificates) return channelCredentials.createInsecure()
  const watcher = watcherOf(credentials.certificates)
  return experimental.createCertificateProviderChannelCredentials(watcher, watcher)
}

/** The credentials of a server: with certificates, callers need one of the same CA. */
export const serverCredentials = (credentials: RpcCredentials | undefined): ServerCredentials => {
  if (!credentials?.certificates) return ServerCredentials.createInsecure()
  const watcher = watcherOf(credentials.certificates)
  return experimental.createCertificateProviderServerCredentials(watcher, watcher, true)
}
