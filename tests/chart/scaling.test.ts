import { describe, expect, it } from 'vitest'
import { type Json, ofKind, one, render } from './render.ts'
import { named, whyNo } from './tools.ts'

const noHelm = whyNo('helm')

/** By whom each workload is scaled, so that none is twice. */
const scaled = (kind: string) =>
  ofKind(render('large'), kind).map(({ metadata, spec }) => {
    expect(spec.scaleTargetRef.name).toBe(metadata.name)
    return metadata.name.replace('rookery-', '')
  })

describe.skipIf(noHelm)(named('what scales', noHelm), () => {
  it('is scaled by one, and nothing is unless it is said', () => {
    const [byKubernetes, byKeda] = [scaled('HorizontalPodAutoscaler'), scaled('ScaledObject')]
    expect(byKeda).toEqual(['federation-background', 'media-motion', 'notifications-background', 'statuses-fan-out'])
    expect(byKubernetes.filter((name) => byKeda.includes(name))).toEqual([])
    for (const kind of ['HorizontalPodAutoscaler', 'ScaledObject', 'TriggerAuthentication'])
      expect(ofKind(render('least'), kind)).toEqual([])
  })

  it('looks at open streams too where streams are', () => {
    const metrics = (name: string) => one(render('large'), 'HorizontalPodAutoscaler', name)['spec'].metrics
    expect(metrics('rookery-streaming')[1]).toEqual({
      type: 'Pods',
      pods: { metric: { name: 'rookery_stream_connections' }, target: { type: 'AverageValue', averageValue: '5000' } },
    })
    expect(metrics('rookery-gateway')).toHaveLength(1)
  })

  it('looks at each group of a workload, with its settings of the brokers', () => {
    const { spec } = one(render('large'), 'ScaledObject', 'rookery-statuses-fan-out')
    expect(spec).toMatchObject({ minReplicaCount: 2, maxReplicaCount: 48 })
    const looksAt = ({ triggers }: Json) => triggers.map(({ metadata }: Json) => [metadata.consumerGroup, metadata.topic])
    expect(looksAt(spec)).toEqual([['statuses-fan-out', 'statuses.v1']])
    expect(looksAt(one(render('large'), 'ScaledObject', 'rookery-notifications-background')['spec'])).toEqual([
      ['notifications-background', 'auth.v1'],
      ['notifications-background', 'notifications.v1'],
      ['notifications-background', 'statuses.v1'],
    ])
    for (const { type, metadata, authenticationRef } of spec.triggers) {
      expect(type).toBe('kafka')
      expect(metadata).toMatchObject({ bootstrapServers: 'kafka-0.stores:9093', lagThreshold: '500', sasl: 'scram_sha512', tls: 'enable' })
      expect(authenticationRef).toEqual({ name: 'rookery-kafka' })
    }
    const { spec: asked } = one(render('large'), 'TriggerAuthentication', 'rookery-kafka')
    const { env } = one(render('large'), 'Deployment', 'rookery-statuses-fan-out')['spec'].template.spec.containers[0]
    const reported = env.map(({ name }: Json) => name)
    for (const { name } of asked.env) expect(reported).toContain(name)
    expect(asked.secretTargetRef.map(({ parameter, name, key }: Json) => [parameter, name, key])).toEqual([
      ['ca', 'birds-cluster-ca-cert', 'ca.crt'],
      ['cert', 'birds-user', 'user.crt'],
      ['key', 'birds-user', 'user.key'],
    ])
  })

  it('looks at the films that wait, as the role and by the password of the workload', () => {
    const [trigger] = one(render('large'), 'ScaledObject', 'rookery-media-motion')['spec'].triggers
    expect(trigger).toMatchObject({
      type: 'postgresql',
      metadata: { userName: 'media', passwordFromEnv: 'MEDIA_DATABASE_PASSWORD', sslmode: 'require', targetQueryValue: '4' },
    })
    expect(trigger.metadata.query).toContain("task.identifier in ('process-motion')")
    const { env } = one(render('large'), 'Deployment', 'rookery-media-motion')['spec'].template.spec.containers[0]
    expect(env.map(({ name }: Json) => name)).toContain('MEDIA_DATABASE_PASSWORD')
  })

  it('looks at the servers that wait, as the role of federation', () => {
    const [trigger] = one(render('large'), 'ScaledObject', 'rookery-federation-background')['spec'].triggers
    expect(trigger.metadata).toMatchObject({
      userName: 'federation',
      passwordFromEnv: 'FEDERATION_DATABASE_PASSWORD',
      targetQueryValue: '100',
    })
    expect(trigger.metadata.query).toContain("task.identifier in ('send-deliveries', 'work-activities')")
  })

  it('needs no names and keys for brokers that ask for none', () => {
    const byLag = { workloads: { 'statuses-fan-out': { autoscaling: { enabled: true, by: 'lag', maxReplicas: 3 } } } }
    const manifests = render('least', byLag)
    expect(ofKind(manifests, 'TriggerAuthentication')).toEqual([])
    const { metadata, ...rest } = one(manifests, 'ScaledObject', 'rookery-statuses-fan-out')['spec'].triggers[0]
    expect(Object.keys(metadata)).not.toContain('tls')
    expect(rest).toEqual({ type: 'kafka' })
    expect(one(render('dev', byLag), 'ScaledObject', 'rookery-statuses-fan-out')['spec'].triggers[0].metadata.bootstrapServers).toBe(
      'rookery-kafka.rookery:9092',
    )
  })
})
