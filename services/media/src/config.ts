import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { choice, count, limitSettings, optional, origin, readEnvironment, type Secret, secret, text } from '@rookery/runtime'
import type { ToolSettings } from './motion/index.ts'
import type { RemoteConfig } from './remote/index.ts'
import type { BucketOptions, Keeping } from './storage/index.ts'

/** The configuration of media. */
export type MediaConfig = {
  /** The public URL, without a trailing slash. */
  baseUrl: string
  /** The base URL of files: they are at <filesUrl>/media/<key>. */
  filesUrl: string
  /** A local folder for uploads while they are processed. */
  spoolFolder: string
  /** The storage of files. */
  keeping: Keeping
  /** The paths of ffmpeg; undefined if video and audio are off. */
  motion?: ToolSettings | undefined
  remote: RemoteConfig
  /** The proxies whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
}

export const settings = {
  BASE_URL: origin({ describe: 'Public base URL of the server.' }),
  DATA_DIR: text({ describe: 'Data folder; files are in its folder `media`.', default: '.rookery' }),
  MEDIA_URL: optional(
    origin({
      describe:
        'Public base URL of files, if not BASE_URL: a CDN that forwards requests for /media/… to this server. New posts link to it; /media stays.',
    }),
  ),
  MEDIA_STORAGE: choice(['disk', 'bucket', 'moving'], {
    describe: 'Where files are stored: in DATA_DIR, in a bucket of an S3-compatible store, or moving from the first to the second.',
    default: 'disk',
  }),
  MEDIA_BUCKET_ENDPOINT: optional(origin({ describe: 'Endpoint of the S3-compatible store: https://s3.eu-central-1.amazonaws.com.' })),
  MEDIA_BUCKET: optional(text({ describe: 'Name of the bucket. It need not, and should not, be public.' })),
  MEDIA_BUCKET_REGION: text({ describe: 'Region that requests to the bucket are signed for.', default: 'us-east-1' }),
  MEDIA_BUCKET_KEY_ID: optional(
    text({ describe: 'Access key id for the bucket, with the rights to read, write, delete and list objects below media/.' }),
  ),
  MEDIA_BUCKET_KEY: optional(secret(text({ describe: 'Secret access key for the bucket.' }))),
  MEDIA_BUCKET_CA: optional(
    text({ describe: 'CA certificate file (PEM), the only one trusted for the bucket; the usual CAs when not set.' }),
  ),
  REMOTE_MEDIA_DAYS: count({
    describe: 'Days after its last request that a file of another server is kept; a later request fetches it again. 0 keeps all.',
    default: '30',
  }),
  REMOTE_MEDIA_MEGABYTES_PER_HOUR: count({
    describe: 'Maximum megabytes of files fetched from one host in an hour.',
    default: '1024',
  }),
  FEDERATION_ALLOW_PRIVATE: choice(['false', 'true'], {
    describe: 'Whether other servers may be at private addresses, over http and at any port. For tests on one machine only.',
    default: 'false',
  }),
  TRUSTED_PROXIES: limitSettings.TRUSTED_PROXIES,
  VIDEO: choice(['auto', 'off'], {
    describe: 'Whether video and audio may be uploaded: if ffmpeg is found, or never.',
    default: 'auto',
  }),
  FFMPEG_PATH: optional(text({ describe: 'Path of ffmpeg, 7.1.5 or newer if others may upload; the one on PATH when not set.' })),
  FFPROBE_PATH: optional(text({ describe: 'Path of ffprobe, of the same version; the one on PATH when not set.' })),
}

const MEGABYTE = 1024 * 1024
/** The defaults of the settings. */
const REMOTE: RemoteConfig = { days: 30, bytesPerHour: 1024 * MEGABYTE, allowsPrivate: false }

const NEEDED = ['MEDIA_BUCKET_ENDPOINT', 'MEDIA_BUCKET', 'MEDIA_BUCKET_KEY_ID', 'MEDIA_BUCKET_KEY'] as const

/** The folder of the disk storage in a data folder. */
export const filesFolder = (dataDir: string): string => join(dataDir, 'media', 'files')

/** The configuration for a data folder that also stores the files. */
export const mediaConfig = (given: { baseUrl: string; dataDir: string }): MediaConfig => ({
  baseUrl: given.baseUrl,
  filesUrl: given.baseUrl,
  spoolFolder: join(given.dataDir, 'media', 'uploads'),
  keeping: { kind: 'disk', folder: filesFolder(given.dataDir) },
  remote: REMOTE,
  trustedProxies: [],
})

type Values = {
  MEDIA_STORAGE: 'disk' | 'bucket' | 'moving'
  MEDIA_BUCKET_ENDPOINT: string | undefined
  MEDIA_BUCKET: string | undefined
  MEDIA_BUCKET_REGION: string
  MEDIA_BUCKET_KEY_ID: string | undefined
  MEDIA_BUCKET_KEY: Secret | undefined
  MEDIA_BUCKET_CA: string | undefined
}

const faultsOf = (values: Partial<Values>): string[] => {
  if (values.MEDIA_STORAGE === undefined) return []
  if (values.MEDIA_STORAGE === 'disk') {
    if (!values.MEDIA_BUCKET && !values.MEDIA_BUCKET_ENDPOINT) return []
    return ['MEDIA_STORAGE is disk although a bucket is named: set it to bucket, or to moving while there are files on the disk']
  }
  const missing = NEEDED.filter((name) => !values[name]).map((name) => `${name} is missing: ${settings[name].describe}`)
  const authority = values.MEDIA_BUCKET_CA
  return authority && !existsSync(authority) ? [...missing, `MEDIA_BUCKET_CA: ${authority} does not exist`] : missing
}

/** Faults of configured programs that do not exist: otherwise video would silently be off. */
const missingPrograms = (values: { FFMPEG_PATH?: string | undefined; FFPROBE_PATH?: string | undefined }): string[] =>
  (['FFMPEG_PATH', 'FFPROBE_PATH'] as const).flatMap((name) => {
    const path = values[name]
    return path && !existsSync(path) ? [`${name}: ${path} does not exist`] : []
  })

const keepingOf = (values: Values, folder: string): Keeping => {
  const kind = values.MEDIA_STORAGE
  if (kind === 'disk') return { kind, folder }
  const bucket: BucketOptions = {
    endpoint: values.MEDIA_BUCKET_ENDPOINT!,
    bucket: values.MEDIA_BUCKET!,
    region: values.MEDIA_BUCKET_REGION,
    keyId: values.MEDIA_BUCKET_KEY_ID!,
    key: values.MEDIA_BUCKET_KEY!,
    authority: values.MEDIA_BUCKET_CA,
  }
  return kind === 'bucket' ? { kind, bucket } : { kind, folder, bucket }
}

/** Reads the settings of media. @throws ConfigurationError */
export const readMediaConfig = (environment: Record<string, string | undefined>): MediaConfig => {
  const values = readEnvironment(settings, environment, (given) => [...faultsOf(given), ...missingPrograms(given)])
  return {
    ...mediaConfig({ baseUrl: values.BASE_URL, dataDir: values.DATA_DIR }),
    filesUrl: values.MEDIA_URL ?? values.BASE_URL,
    keeping: keepingOf(values, filesFolder(values.DATA_DIR)),
    trustedProxies: values.TRUSTED_PROXIES,
    remote: {
      days: values.REMOTE_MEDIA_DAYS,
      bytesPerHour: values.REMOTE_MEDIA_MEGABYTES_PER_HOUR * MEGABYTE,
      allowsPrivate: values.FEDERATION_ALLOW_PRIVATE === 'true',
    },
    motion:
      values.VIDEO === 'off'
        ? undefined
        : { ffmpegPath: values.FFMPEG_PATH, ffprobePath: values.FFPROBE_PATH, searchPath: environment['PATH'] ?? '' },
  }
}
