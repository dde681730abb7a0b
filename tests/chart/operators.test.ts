import { describe, expect, it } from 'vitest'
import { DECLARED } from './declared.ts'
import { type Json, manifestsOf, ofKind, one, render, template } from './render.ts'
import { named, whyNo } from './tools.ts'

const noHelm = whyNo('helm')
const stored = Object.entries(DECLARED).flatMap(([name, { schema }]) => (schema ? [name] : []))

describe.skipIf(noHelm)(named('stores that operators run', noHelm), () => {
  const manifests = noHelm ? [] : render('operators')
  const podOf = (kind: string, name: string): Json => one(manifests, kind, name)['spec'].template.spec
  const environmentOf = (container: Json) =>
    Object.fromEntries(container.env.map((each: Json) => [each.name, each.value ?? each.valueFrom.secretKeyRef]))

  it('are there only when it is said, and stay when the release goes', () => {
    const kinds = ['Cluster', 'Kafka', 'KafkaNodePool', 'KafkaUser', 'KafkaTopic']
    for (const kind of kinds) {
      expect(ofKind(render('least'), kind)).toEqual([])
      const made = ofKind(manifests, kind)
      expect(made.length).toBeGreaterThan(0)
      for (const { metadata } of made) expect(metadata.annotations).toMatchObject({ 'helm.sh/resource-policy': 'keep' })
    }
  })

  it('are reached by the names, secrets and authorities that the operators make', () => {
    const pod = podOf('Deployment', 'rookery-statuses-background')
    const environment = environmentOf(pod.containers[0])
    expect(environment).toMatchObject({
      STATUSES_DATABASE_URL:
        'postgres://statuses:$(STATUSES_DATABASE_PASSWORD)@rookery-postgres-rw:5432/rookery?sslmode=verify-full&sslrootcert=/etc/rookery/postgres-authority/ca.crt',
      KAFKA_BROKERS: 'rookery-kafka-bootstrap.rookery:9093',
      KAFKA_TLS: 'on',
      KAFKA_CA: '/etc/rookery/kafka-authority/ca.crt',
      KAFKA_SASL: 'scram-sha-512',
      KAFKA_USERNAME: 'rookery-kafka-user',
      KAFKA_PASSWORD: { name: 'rookery-kafka-user', key: 'password' },
    })
    const secrets = pod.volumes.flatMap(({ secret }: Json) =>
      secret ? [[secret.secretName, secret.items.map(({ key }: Json) => key)]] : [],
    )
    // Of the authority's secret its certificate alone: its key is there too.
    expect(secrets).toEqual([
      ['rookery-cluster-ca-cert', ['ca.crt']],
      ['rookery-postgres-ca', ['ca.crt']],
    ])
    expect(one(manifests, 'KafkaUser', 'rookery-kafka-user')['spec'].authentication.type).toBe('scram-sha-512')
  })

  it('get their roles and schemas once they are there, not ahead of the installation', () => {
    const hooked = ofKind(manifests, 'Job').filter(({ metadata }) => metadata.annotations)
    expect(hooked.map(({ metadata }) => metadata.name).sort()).toEqual(['rookery-make-secrets', 'rookery-migrate-contract'])
    const environment = environmentOf(podOf('Job', 'rookery-prepare-database-1').containers[0])
    expect(environment).toMatchObject({
      ADMINISTRATOR_DATABASE_PASSWORD: { name: 'rookery-postgres-superuser', key: 'password' },
      ADMINISTRATOR_DATABASE_URL: expect.stringContaining(
        'postgres://postgres:$(ADMINISTRATOR_DATABASE_PASSWORD)@rookery-postgres-rw:5432/rookery?',
      ),
    })
    for (const name of stored) {
      const { initContainers } = podOf('Deployment', `rookery-${name}`)
      expect(initContainers.map(({ args }: Json) => args[0])).toEqual([`services/${name}/src/migrate.ts`])
    }
  })

  it('are all that pods may reach at those ports', () => {
    const { egress } = one(manifests, 'NetworkPolicy', 'rookery-statuses-fan-out')['spec']
    const to = (port: number) => egress.find((rule: Json) => rule.ports.some((each: Json) => each.port === port)).to
    expect(to(5432)).toEqual([{ podSelector: { matchLabels: { 'cnpg.io/cluster': 'rookery-postgres' } } }])
    expect(to(9093)).toEqual([{ podSelector: { matchLabels: { 'strimzi.io/cluster': 'rookery', 'strimzi.io/kind': 'Kafka' } } }])
    const [listener] = one(manifests, 'Kafka', 'rookery')['spec'].kafka.listeners
    expect(listener).toMatchObject({ port: 9093, tls: true, authentication: { type: 'scram-sha-512' } })
    expect(listener.networkPolicyPeers).toHaveLength(2)
  })

  it('are, with the store of files, all that a worker of films may reach', () => {
    const ports = (set: 'large' | 'operators') =>
      one(render(set), 'NetworkPolicy', 'rookery-media-motion')['spec'].egress.flatMap((rule: Json) =>
        rule.ports.map((each: Json) => each.port),
      )
    expect([...new Set(ports('large'))].sort()).toEqual([53, 5432, 9000])
    const { policyTypes, ingress } = one(render('large'), 'NetworkPolicy', 'rookery-media-motion')['spec']
    expect(policyTypes).toEqual(['Ingress', 'Egress'])
    expect((ingress ?? []).flatMap((rule: Json) => rule.ports.map((each: Json) => each.port))).not.toContain(7000)
  })

  it('have a topic for each service that publishes events, with the partitions it is given', () => {
    const topics = ofKind(manifests, 'KafkaTopic').map(({ spec }) => spec)
    expect(topics).toEqual(stored.map((name) => ({ topicName: `${name}.v1`, partitions: 12, replicas: 3 })))
  })

  it('keep what they acknowledged when one broker is lost, and work with one alone', () => {
    const configOf = (brokers: number) =>
      one(render('operators', { stores: { kafka: { strimzi: { brokers } } } }), 'Kafka', 'rookery')['spec'].kafka.config
    expect(configOf(5)).toMatchObject({ 'default.replication.factor': 3, 'min.insync.replicas': 2 })
    expect(configOf(1)).toMatchObject({ 'default.replication.factor': 1, 'min.insync.replicas': 1, 'offsets.topic.replication.factor': 1 })
  })

  it('are described in the older version where the cluster has no newer one', () => {
    const { output } = template('operators', {}, ['keda.sh/v1alpha1', 'postgresql.cnpg.io/v1', 'kafka.strimzi.io/v1beta2'])
    const versions = manifestsOf(output).flatMap(({ apiVersion }) => (apiVersion.startsWith('kafka.strimzi.io/') ? [apiVersion] : []))
    expect(new Set(versions)).toEqual(new Set(['kafka.strimzi.io/v1beta2']))
  })

  it('begin from a backup instead of empty when that is said', () => {
    const recovery = { source: 'before' }
    const values = { stores: { postgres: { cloudNativePg: { spec: { bootstrap: { recovery } } } } } }
    expect(one(render('operators', values), 'Cluster', 'rookery-postgres')['spec'].bootstrap).toEqual({ recovery })
  })
})
