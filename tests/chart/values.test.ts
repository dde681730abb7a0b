import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CHART, type Json, SETS, type SetName, template } from './render.ts'
import { named, run, whyNo } from './tools.ts'

const noHelm = whyNo('helm')

/** Values that cannot be meant, and what is said about them. */
const REFUSED: readonly [title: string, set: SetName, values: object, words: string][] = [
  ['no address', 'least', { baseUrl: '' }, 'baseUrl is missing'],
  ['an address without TLS', 'least', { baseUrl: 'http://birds.example' }, 'is not https'],
  ['an address with a path', 'least', { baseUrl: 'https://birds.example/x' }, '/baseUrl'],
  ['no database', 'least', { stores: { postgres: { host: '' } } }, 'stores.postgres.host is missing'],
  ['no Redis', 'least', { stores: { redis: { url: '' } } }, 'stores.redis is missing'],
  ['a password in plain text', 'least', { stores: { redis: { url: 'redis://:secret@redis:6379' } } }, 'put the url into a secret'],
  ['no Kafka', 'least', { stores: { kafka: { brokers: [] } } }, 'stores.kafka.brokers is missing'],
  ['a broker without a port', 'least', { stores: { kafka: { brokers: ['kafka'] } } }, '/stores/kafka/brokers/0'],
  ['mail without a server', 'least', { mail: { secret: { name: '' } } }, 'mail.secret.name is missing'],
  ['two databases', 'operators', { stores: { postgres: { host: 'postgres' } } }, 'stores.postgres.cloudNativePg makes a database'],
  ['two sets of brokers', 'operators', { stores: { kafka: { brokers: ['kafka:9092'] } } }, 'stores.kafka.strimzi makes brokers'],
  [
    'roles by hand in a database that is not there yet',
    'operators',
    { stores: { postgres: { roles: 'byHand' } } },
    'stores.postgres.roles is byHand',
  ],
  [
    'stores for trying out beside those of operators',
    'dev',
    { stores: { kafka: { strimzi: { enabled: true } } } },
    'devStores bring a database and a Kafka of their own',
  ],
  [
    'a database whose image moves',
    'operators',
    { stores: { postgres: { cloudNativePg: { image: 'postgres:latest' } } } },
    '/stores/postgres/cloudNativePg/image',
  ],
  ['no brokers at all', 'operators', { stores: { kafka: { strimzi: { brokers: 0 } } } }, '/stores/kafka/strimzi/brokers'],
  ['a translator without a key', 'least', { translation: { provider: 'deepl' } }, 'translation.secret.name is missing'],
  [
    'files that would be lost',
    'least',
    { media: { persistence: { enabled: false } }, workloads: { media: { replicas: 1 } } },
    'pictures would be lost',
  ],
  [
    'files on a volume and in a bucket',
    'large',
    { media: { persistence: { enabled: true } } },
    'media.persistence and media.objectStorage are both enabled',
  ],
  ['files that move from nowhere', 'large', { media: { objectStorage: { moving: true } } }, 'moving needs the volume'],
  ['a bucket by half', 'large', { media: { objectStorage: { secret: { name: '' } } } }, 'media.objectStorage.secret.name is missing'],
  ['a bucket that is not meant', 'least', { media: { objectStorage: { bucket: 'birds' } } }, 'names a bucket and is not enabled'],
  ['a bucket at a path', 'large', { media: { objectStorage: { endpoint: 'https://s3.example/birds' } } }, '/media/objectStorage/endpoint'],
  ['an authority that is not looked at', 'large', { stores: { postgres: { sslMode: 'no-verify' } } }, 'sslMode=verify-full only'],
  ['certificates without TLS', 'large', { stores: { kafka: { tls: false } } }, 'stores.kafka.tls=true'],
  ['a plain password in the open', 'large', { stores: { kafka: { tls: false, sasl: { mechanism: 'plain' } } } }, 'is plain, which'],
  ['a user without a password', 'large', { stores: { kafka: { sasl: { secret: { name: '' } } } } }, 'stores.kafka.sasl.username and'],
  ['a password without a mechanism', 'large', { stores: { kafka: { sasl: { mechanism: '' } } } }, 'sasl.mechanism is missing'],
  ['a way there is not', 'large', { stores: { kafka: { sasl: { mechanism: 'md5' } } } }, '/stores/kafka/sasl/mechanism'],
  [
    'an authority for an open Redis',
    'least',
    { stores: { redis: { authority: { secret: 'ca' } } } },
    'begin stores.redis.url with rediss://',
  ],
  ['two pods on a volume of one node', 'ingress', { workloads: { media: { replicas: 2 } } }, 'workloads.media may have one replica only'],
  ['a workload there is not', 'least', { workloads: { federation2: {} } }, 'workloads.federation2 is no workload; there are auth,'],
  [
    'a setting that the chart makes',
    'least',
    { settings: { BASE_URL: 'https://other.example' } },
    'settings.BASE_URL is made by the chart from baseUrl',
  ],
  ['an Ingress of no one', 'ingress', { ingress: { className: '' } }, 'ingress.className is missing'],
  ['a route without a Gateway', 'large', { httpRoute: { parentRefs: [] } }, 'httpRoute.parentRefs is missing'],
  [
    'scaling by streams where there are none',
    'least',
    { workloads: { gateway: { autoscaling: { enabled: true, by: 'connections' } } } },
    'workloads.gateway.autoscaling.by is connections: only streaming holds any',
  ],
  [
    'scaling by lag where nothing can wait',
    'least',
    { workloads: { 'media-motion': { autoscaling: { enabled: true, by: 'lag' } } } },
    'workloads.media-motion.autoscaling.by is lag',
  ],
  [
    'scaling by a queue where there is none',
    'large',
    { workloads: { gateway: { autoscaling: { by: 'queue' } } } },
    'workloads.gateway.autoscaling.by is queue: only federation-background and media-motion have one',
  ],
  [
    'more pods than partitions',
    'large',
    { workloads: { 'statuses-fan-out': { autoscaling: { maxReplicas: 65 } } } },
    'workloads.statuses-fan-out.autoscaling.maxReplicas is 65, above the 64 of stores.kafka.partitions',
  ],
  ['scaling by the weather', 'large', { workloadDefaults: { autoscaling: { by: 'weather' } } }, '/workloadDefaults/autoscaling/by'],
  ['scaling upside down', 'large', { workloadDefaults: { autoscaling: { minReplicas: 30 } } }, 'minReplicas is above maxReplicas'],
  ['stores for trying out behind a public address', 'dev', { baseUrl: 'https://birds.example' }, 'devStores are for trying things out'],
  ['a tag that moves', 'least', { image: { tag: 'latest' } }, '/image/tag'],
  ['a store whose tag moves', 'dev', { devStores: { redis: { image: 'redis:latest' } } }, '/devStores/redis/image'],
  ['a store without a tag', 'dev', { devStores: { redis: { image: 'redis' } } }, '/devStores/redis/image'],
  ['a misspelt value', 'least', { registration: 'open' }, 'registration'],
  ['a misspelt value further down', 'least', { stores: { postgres: { hots: 'x' } } }, 'hots'],
  ['a choice there is not', 'least', { registrations: 'everybody' }, '/registrations'],
  ['inviters there are not', 'least', { invites: 'owners' }, '/invites'],
  ['a number as text', 'least', { stores: { postgres: { port: '5432' } } }, '/stores/postgres/port'],
  ['less than no time to stop', 'least', { drain: { pauseSeconds: -1 } }, '/drain/pauseSeconds'],
  ['a digest that is none', 'least', { image: { digests: { gateway: 'sha256:abc' } } }, '/image/digests/gateway'],
  ['an image by a tag that moves', 'least', { image: { references: { gateway: 'birds/gateway:latest' } } }, '/image/references/gateway'],
  ['a debugger where people are', 'least', { inspector: true }, 'inspector is for devStores only'],
  ['the public from nowhere', 'least', { networkPolicies: { publicFrom: [] } }, '/networkPolicies/publicFrom'],
]

/** A value that the schema refuses is named as /a/b by Helm 4, and as a.b by Helm 3. */
const saying = (words: string) => (words.startsWith('/') ? new RegExp(`${words}|- ${words.slice(1).replaceAll('/', '\\.')}: `) : words)

describe.skipIf(noHelm)(named('the chart’s values', noHelm), () => {
  it.each(REFUSED)('are refused: %s', (_, set, values, words) => {
    const { isWell, complaint } = template(set, values)
    expect(complaint).toMatch(saying(words))
    expect(isWell).toBe(false)
  })

  it('are refused where the cluster lacks an operator they need, unless configured that it will be there', () => {
    const { isWell, complaint } = template('large', {}, [])
    expect(complaint).toContain('autoscaling by lag or queue needs KEDA')
    expect(complaint).toContain('--api-versions keda.sh/v1alpha1')
    expect(isWell).toBe(false)
    const { complaint: others } = template('operators', {}, ['keda.sh/v1alpha1'])
    expect(others).toContain('stores.postgres.cloudNativePg needs CloudNativePG')
    expect(others).toContain('stores.kafka.strimzi needs Strimzi')
  })

  it('are refused all at once', () => {
    const { complaint } = template('least', { baseUrl: '', stores: { postgres: { host: '' }, kafka: { brokers: [] } } })
    expect(complaint.match(/is missing/g)).toHaveLength(3)
  })

  it.each(Object.entries(SETS))('pass helm lint: %s', (_, file) => {
    const { isWell, output } = run('helm', ['lint', '--strict', '--quiet', CHART, '-f', file])
    expect(output).not.toMatch(/ERROR|WARNING/)
    expect(isWell).toBe(true)
  })
})

describe('the schema of the chart’s values', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Json
  const values = parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Json

  const compare = (value: Json, at: Json, path: string): string[] => {
    if (at.type !== 'object' || !at.properties) return []
    if (at.additionalProperties !== false) return [`${path} takes what it does not know`]
    const names = new Set([...Object.keys(value ?? {}), ...Object.keys(at.properties)])
    names.delete('global')
    return [...names].flatMap((name) => {
      const place = `${path}.${name}`
      if (!(name in at.properties)) return [`${place} is not in the schema`]
      return value && name in value ? compare(value[name], at.properties[name], place) : [`${place} has no default`]
    })
  }

  it('knows every value there is and no other', () => {
    expect(compare(values, schema, 'values')).toEqual([])
  })
})
