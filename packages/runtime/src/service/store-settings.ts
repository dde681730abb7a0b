import { existsSync, readFileSync } from 'node:fs'
import { ConfigurationError, choice, count, list, optional, type Secret, secret, text, url } from '../environment.ts'

const pem = (file: string, use = '') => optional(text({ describe: `${file} file (PEM)${use}. Read when the process starts.` }))

const REDIS = {
  REDIS_URL: secret(
    url({
      describe: 'Redis for rate limits, presence and live messages: redis://USER:PASSWORD@HOST:PORT, or rediss:// for TLS.',
      default: 'redis://127.0.0.1:6379',
    }),
  ),
  REDIS_CA: pem('CA certificate', ', the only one trusted for Redis'),
  REDIS_CERTIFICATE: pem('Client certificate', ' for Redis'),
  REDIS_CERTIFICATE_KEY: pem('Key', ' of that certificate'),
}

const KAFKA = {
  KAFKA_BROKERS: list({ describe: 'Kafka bootstrap brokers, as host:port.', default: '127.0.0.1:9092' }),
  KAFKA_PARTITIONS: count({
    describe: 'Number of partitions of topics that this process creates: the maximum number of parallel consumers.',
    default: '12',
  }),
  KAFKA_TLS: choice(['on', 'off'], { describe: 'Whether connections to Kafka use TLS.', default: 'off' }),
  KAFKA_CA: pem('CA certificate', ', the only one trusted for the brokers; the usual CAs when not set'),
  KAFKA_CERTIFICATE: pem('Client certificate', ' for the brokers'),
  KAFKA_CERTIFICATE_KEY: pem('Key', ' of that certificate'),
  KAFKA_SASL: optional(
    choice(['scram-sha-512', 'scram-sha-256', 'plain'], { describe: 'SASL mechanism for Kafka. Plain is used over TLS only.' }),
  ),
  KAFKA_USERNAME: optional(text({ describe: 'SASL user name for Kafka.' })),
  KAFKA_PASSWORD: optional(secret(text({ describe: 'SASL password for Kafka.' }))),
}

/** The settings of Redis and Kafka. */
export const storeSettings = { ...REDIS, ...KAFKA }

/** PEM files: the CA certificate, and the client certificate with its key. */
type TlsFiles = { authority: string | undefined; certificate: string | undefined; key: string | undefined }

/** The addresses of Redis and Kafka, and how to connect to them. */
export type StoresConfig = {
  redis: { url: Secret; tls: TlsFiles }
  kafka: {
    brokers: readonly string[]
    partitions: number
    /** Without it, connections are not encrypted. */
    tls: TlsFiles | undefined
    sasl: { mechanism: 'scram-sha-512' | 'scram-sha-256' | 'plain'; username: string; password: Secret } | undefined
  }
}

type Values = { [Name in keyof typeof storeSettings]: ReturnType<(typeof storeSettings)[Name]['parse']> }

const tlsFaults = (name: 'REDIS' | 'KAFKA', files: TlsFiles, { isTls, how }: { isTls: boolean; how: string }): string[] => {
  const given = [files.authority, files.certificate, files.key].filter((file) => file !== undefined)
  const faults = given
    .filter((file) => !existsSync(file))
    .map((file) => `${file} does not exist: a file of ${name}_CA, _CERTIFICATE or _KEY`)
  if (given.length > 0 && !isTls) faults.push(`${name}_CA, ${name}_CERTIFICATE and ${name}_CERTIFICATE_KEY are for TLS: ${how}`)
  if (!files.certificate !== !files.key) faults.push(`${name}_CERTIFICATE and ${name}_CERTIFICATE_KEY are set together`)
  return faults
}

const kafkaFaults = ({ tls, isTls, sasl, username, password }: KafkaWishes): string[] => {
  const faults = tlsFaults('KAFKA', tls, { isTls, how: 'set KAFKA_TLS=on' })
  if (sasl && !(username && password)) faults.push('KAFKA_USERNAME and KAFKA_PASSWORD are missing: KAFKA_SASL needs both')
  if (!sasl && (username || password)) faults.push('KAFKA_SASL is missing: KAFKA_USERNAME and KAFKA_PASSWORD need a mechanism')
  if (sasl === 'plain' && !isTls) faults.push('KAFKA_SASL=plain would send the password as it is: set KAFKA_TLS=on')
  return faults
}
type KafkaWishes = {
  tls: TlsFiles
  isTls: boolean
  sasl: Values['KAFKA_SASL']
  username: string | undefined
  password: Secret | undefined
}

/** The faults of the settings of Redis and Kafka: contradictions, and missing files. */
export const storeFaults = (values: Partial<Values>): string[] => {
  const scheme = values.REDIS_URL && new URL(values.REDIS_URL.reveal()).protocol
  const { KAFKA_SASL: sasl, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = values
  return [
    ...(scheme === undefined || ['redis:', 'rediss:'].includes(scheme) ? [] : ['REDIS_URL must begin with redis:// or rediss://']),
    ...tlsFaults('REDIS', filesOf(values, 'REDIS'), { isTls: scheme === 'rediss:', how: 'begin REDIS_URL with rediss://' }),
    ...kafkaFaults({ tls: filesOf(values, 'KAFKA'), isTls: values.KAFKA_TLS === 'on', sasl, username, password }),
  ]
}

const filesOf = (values: Partial<Values>, store: 'REDIS' | 'KAFKA'): TlsFiles => ({
  authority: values[`${store}_CA`],
  certificate: values[`${store}_CERTIFICATE`],
  key: values[`${store}_CERTIFICATE_KEY`],
})

/** The configuration from the settings of Redis and Kafka. @throws ConfigurationError for contradictions, or when a file is missing */
export const storesConfig = (values: Values): StoresConfig => {
  const faults = storeFaults(values)
  if (faults.length > 0) throw new ConfigurationError(faults)
  const [redisTls, kafkaTls] = [filesOf(values, 'REDIS'), filesOf(values, 'KAFKA')]
  const isTls = values.KAFKA_TLS === 'on'
  const { KAFKA_SASL: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = values
  return {
    redis: { url: values.REDIS_URL, tls: redisTls },
    kafka: {
      brokers: values.KAFKA_BROKERS,
      partitions: values.KAFKA_PARTITIONS,
      tls: isTls ? kafkaTls : undefined,
      sasl: mechanism && username && password ? { mechanism, username, password } : undefined,
    },
  }
}

const contentOf = (name: 'ca' | 'cert' | 'key', file: string | undefined) => (file ? { [name]: readFileSync(file, 'utf8') } : {})

/** TLS options. Reads the files. */
export const readTls = ({ authority, certificate, key }: TlsFiles): { ca?: string; cert?: string; key?: string } => ({
  ...contentOf('ca', authority),
  ...contentOf('cert', certificate),
  ...contentOf('key', key),
})

/** Options of a Kafka client. Reads the files. */
export const kafkaOptions = ({ brokers, partitions, tls, sasl }: StoresConfig['kafka']) => ({
  brokers,
  partitions,
  ...(tls && { tls: readTls(tls) }),
  ...(sasl && { sasl: { ...sasl, password: sasl.password.reveal() } }),
})
