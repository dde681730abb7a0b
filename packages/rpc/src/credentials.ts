import { createHash, timingSafeEqual } from 'node:crypto'
import { type ChannelCredentials, credentials as channelCredentials, experimental, type Metadata, ServerCredentials } from '@grpc/grpc-js'

/** Files in PEM: whose signature counts, and the certificate and key of this process. They are read again when they change. */
export type CertificateFiles = { readonly authority: string; readonly certificate: string; readonly key: string }

/** How processes know each other: by a key they share, by certificates, by both, or, on one machine, by neither. */
export type RpcCredentials = {
  /** The first goes with each call made; a call answered may carry any, so that a new one can be brought in before the old one goes. */
  readonly keys: readonly string[]
  readonly certificates: CertificateFiles | undefined
}

const HEADER = 'rookery-key'
const REFRESH_MILLISECONDS = 60_000

const digestOf = (key: string) => createHash('sha256').update(key).digest()

/** Puts the key on a call. */
export const withKey = (metadata: Metadata, credentials: RpcCredentials | undefined): Metadata => {
  const key = credentials?.keys[0]
  if (key !== undefined) metadata.set(HEADER, key)
  return metadata
}

/** Whether a call carries a key that counts. All are compared, each in the same time regardless of what it holds. */
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

/** What a caller shows and expects: certificates on both sides when there are some. */
export const callerCredentials = (credentials: RpcCredentials | undefined): ChannelCredentials => {
  if (!credentials?.certificates) return channelCredentials.createInsecure()
  const watcher = watcherOf(credentials.certificates)
  return experimental.createCertificateProviderChannelCredentials(watcher, watcher)
}

/** What a server shows and expects: with certificates, callers must have one by the same authority. */
export const serverCredentials = (credentials: RpcCredentials | undefined): ServerCredentials => {
  if (!credentials?.certificates) return ServerCredentials.createInsecure()
  const watcher = watcherOf(credentials.certificates)
  return experimental.createCertificateProviderServerCredentials(watcher, watcher, true)
}
