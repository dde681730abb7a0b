import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Guarded } from './certificates.ts'
import { dockerKafka, hasDocker } from './docker.ts'
import { fetchKafka, javaCommand, kafkaHome, programsForKafka } from './kafka-jars.ts'
import { freePorts } from './ports.ts'
import { type Program, runProgram, startProgram } from './program.ts'
import { reasonOf, type Source, type StoreOptions, type TestStore } from './store.ts'

let source: Promise<Source> | undefined
const findSource = async (): Promise<Source> => {
  const programs = await programsForKafka()
  return programs !== 'programs' && (await hasDocker()) ? 'docker' : programs
}
const kafkaSource = () => (source ??= findSource())

/** Why Kafka is not available here, or undefined. @throws Error when it is required */
export const whyNoKafka = async (): Promise<string | undefined> => reasonOf(await kafkaSource())

const MODULES = 'org.apache.kafka.common.security'

/**
 * Two listeners beside the open one, which the broker itself uses: by password, and by certificate. Authenticated clients may do what no
 * ACL forbids.
 */
const guardedProperties = ({ authority, username, password }: Guarded) => `inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,PASSWORD:SASL_SSL,CERTIFICATE:SSL
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.password.plain.sasl.jaas.config=${MODULES}.plain.PlainLoginModule required user_${username}="${password}";
listener.name.password.scram-sha-256.sasl.jaas.config=${MODULES}.scram.ScramLoginModule required;
listener.name.password.scram-sha-512.sasl.jaas.config=${MODULES}.scram.ScramLoginModule required;
listener.name.certificate.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location=${authority.issue('kafka').both}
ssl.truststore.type=PEM
ssl.truststore.location=${authority.file}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
allow.everyone.if.no.acl.found=true
`

const doors = (port: number, guarded: Guarded | undefined) =>
  guarded ? `,PASSWORD://127.0.0.1:${port + 2},CERTIFICATE://127.0.0.1:${port + 3}` : ''

/** One node as broker and controller (KRaft), with short timeouts to recover quickly from an outage. */
const propertiesOf = (folder: string, port: number, { guarded, advertisedPort }: StoreOptions) => `process.roles=broker,controller
node.id=1
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${port + 1}${doors(port, guarded)}
controller.listener.names=CONTROLLER
controller.quorum.voters=1@127.0.0.1:${port + 1}
log.dirs=${join(folder, 'data')}
auto.create.topics.enable=false
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
log.cleaner.dedupe.buffer.size=4194304
${guarded ? guardedProperties(guarded) : ''}${advertisedPort ? `advertised.listeners=PLAINTEXT://127.0.0.1:${advertisedPort}\n` : ''}`

/** SCRAM users are created when the broker's storage is formatted. */
const userFlags = (guarded: Guarded | undefined) =>
  (guarded ? ['SCRAM-SHA-256', 'SCRAM-SHA-512'] : []).flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${guarded?.username},password=${guarded?.password}]`,
  ])

const jvmFlags = () => [
  ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  ...['-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info'],
  ...['-cp', join(kafkaHome(), 'libs', '*')],
]

/** Writes the broker's settings and formats its storage, unless the folder is prepared: then the broker continues at the same port. */
const prepare = async (folder: string, options: StoreOptions) => {
  const { port, guarded } = options
  const settings = join(folder, 'server.properties')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(settings)) writeFileSync(settings, propertiesOf(folder, port ?? (await freePorts(4)), options))
  if (!existsSync(join(folder, 'data', 'meta.properties'))) {
    const cluster = `A${randomBytes(16).toString('base64url').slice(1)}`
    const format = ['kafka.tools.StorageTool', 'format', '-t', cluster, '-c', settings, ...userFlags(guarded)]
    await runProgram(javaCommand(), [...jvmFlags(), ...format])
  }
  const written = readFileSync(settings, 'utf8')
  const addressOf = (listener: string) => new RegExp(`${listener}://([^,\\s]+)`).exec(written)?.[1] ?? ''
  const address = addressOf('PLAINTEXT')
  if (!address) throw new Error(`${settings} names no address`)
  return { settings, address, byPassword: addressOf('PASSWORD'), byCertificate: addressOf('CERTIFICATE') }
}

/** A broker; a guarded one has two more addresses with TLS: for clients with a password, and for clients with a certificate. */
type TestKafka = TestStore & { readonly byPassword: string; readonly byCertificate: string }

/** Starts a broker of one node (downloaded the first time on a machine). @throws Error when this machine cannot run it */
export const startKafka = async (options: StoreOptions = {}): Promise<TestKafka> => {
  const found = await kafkaSource()
  if (typeof found !== 'string') throw new Error(found.missing)
  if (found === 'docker')
    return { ...(await dockerKafka(options.port ?? (await freePorts(1)), options.advertisedPort)), byPassword: '', byCertificate: '' }

  await fetchKafka()
  const folder = options.dir ?? mkdtempSync(join(tmpdir(), 'kafka-'))
  const { settings, ...addresses } = await prepare(folder, options)
  const flags = [...jvmFlags(), 'kafka.Kafka', settings]
  const logFile = join(folder, 'kafka.log')
  const ready = 'Kafka Server started'
  const launch = () => startProgram({ command: javaCommand(), flags, logFile, ready, within: 60_000, onEnd: options.onEnd })
  let program: Program = await launch()
  return {
    ...addresses,
    kill: () => program.end('SIGKILL'),
    start: async () => {
      program = await launch()
    },
    stop: async () => {
      await program.end('SIGTERM')
      if (!options.dir) rmSync(folder, { recursive: true, force: true })
    },
  }
}
