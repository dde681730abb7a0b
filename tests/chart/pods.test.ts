import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { containersOf, type Json, ofKind, podsOf, render, SETS, type SetName } from './render.ts'
import { named, whyNo } from './tools.ts'

const noHelm = whyNo('helm')
const sets = noHelm ? [] : (Object.keys(SETS) as SetName[]).flatMap((set) => podsOf(render(set)).map((pod) => ({ set, ...pod })))

/** Pods by the set and the owner, for tables of tests. */
const table = sets.map((pod) => [`${pod.set} ${pod.owner}`, pod] as const)
const serves = (container: Json) => ['/serve.ts', '/background.ts', '/whole.ts'].some((end) => container.args?.[0]?.endsWith(end))
const lasts = (owner: string) => /^(Deployment|StatefulSet)\//.test(owner)

describe.skipIf(noHelm)(named('every pod of the chart', noHelm), () => {
  it.each(table)('keeps to the restricted profile: %s', (_, { spec, owner }) => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(spec.securityContext.runAsUser).toBeGreaterThan(0)
    for (const container of containersOf(spec)) {
      expect(container.securityContext).toMatchObject({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })
      expect(container.securityContext).not.toHaveProperty('privileged')
      expect(container.ports?.some((port: Json) => port.hostPort)).toBeFalsy()
    }
    for (const way of ['hostNetwork', 'hostPID', 'hostIPC']) expect(spec).not.toHaveProperty(way)
    const kinds = spec.volumes.flatMap((volume: object) => Object.keys(volume)).filter((key: string) => key !== 'name')
    const allowed = ['emptyDir', 'secret', 'configMap', 'persistentVolumeClaim', ...(owner.endsWith('-make-secrets') ? ['projected'] : [])]
    expect(kinds.filter((kind: string) => !allowed.includes(kind))).toEqual([])
  })

  it.each(table)('writes to volumes only, and is given no token unless it makes secrets: %s', (name, { spec }) => {
    expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
    expect(JSON.stringify(spec).includes('serviceAccountToken')).toBe(name.endsWith('-make-secrets'))
    expect('serviceAccountName' in spec).toBe(name.endsWith('-make-secrets'))
    // Kafka's public image writes beside its own program; it is for trying out.
    if (name.endsWith('-kafka')) return
    for (const container of containersOf(spec)) expect(container.securityContext.readOnlyRootFilesystem).toBe(true)
  })

  it.each(table)('says what it needs and stays below a limit: %s', (_, { spec }) => {
    for (const { resources } of containersOf(spec)) {
      expect(resources.requests).toHaveProperty('cpu')
      expect(resources.requests).toHaveProperty('memory')
      expect(resources.limits).toHaveProperty('memory')
    }
  })

  it.each(table)('names each image by version or digest: %s', (_, { spec }) => {
    for (const { image } of containersOf(spec)) {
      expect(image).toMatch(/^[^:@\s]+(:\d+)?(\/[^:@\s]+)*(:[^:@\s]+|@sha256:[0-9a-f]{64})$/)
      expect(image).not.toMatch(/:latest$/)
    }
  })

  it.each(table.filter(([, { owner }]) => lasts(owner)))('is asked whether it has started, lives and is ready: %s', (_, { spec }) => {
    for (const container of spec.containers) {
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) expect(container).toHaveProperty(probe)
      if (serves(container)) expect(container.readinessProbe.httpGet).toEqual({ path: '/health/ready', port: 'health' })
    }
  })

  it.each(table.filter(([, { owner }]) => owner.startsWith('Deployment/')))('has time to finish: %s', (_, { spec }) => {
    const [container] = spec.containers
    const secondsOf = (name: string) => Number(container.env.find((each: Json) => each.name === name)?.value ?? 0)
    const pause = secondsOf('DRAIN_SECONDS')
    expect(pause > 0).toBe(/\/(serve|whole)\.ts$/.test(container.args[0]))
    // A process ends by itself 25 seconds after both.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(25 + pause + secondsOf('STREAM_DRAIN_SECONDS'))
  })

  it.each(table)('listens on each port once: %s', (_, { spec }) => {
    // Containers of a pod share its address; those of the first list end before the others start, unless they stay.
    const together = [...spec.containers, ...(spec.initContainers ?? []).filter(({ restartPolicy }: Json) => restartPolicy === 'Always')]
    const ports = together.flatMap(({ env }) =>
      (env ?? []).filter(({ name }: Json) => name.endsWith('_PORT')).map(({ value }: Json) => value),
    )
    expect(ports).toEqual([...new Set(ports)])
  })

  it.each(table)('finds the files of its settings: %s', (_, { spec }) => {
    for (const { env, volumeMounts } of containersOf(spec)) {
      const files = (env ?? []).flatMap(({ value = '' }: Json) => value.match(/\/etc\/rookery\/[-\w]+\/[-.\w]+/g) ?? [])
      for (const file of files) {
        const [folder, path] = [dirname(file), basename(file)]
        const mount = volumeMounts.find(({ mountPath }: Json) => mountPath === folder)
        const { secret } = spec.volumes.find(({ name }: Json) => name === mount?.name) ?? {}
        expect(secret?.secretName, file).toMatch(/./)
        if (secret.items)
          expect(
            secret.items.map((item: Json) => item.path),
            file,
          ).toContain(path)
      }
    }
  })

  it.each(table)('holds no secret in plain text: %s', (_, { spec }) => {
    for (const { name, value } of containersOf(spec).flatMap(({ env }) => env ?? [])) {
      if (value === undefined) continue
      expect(value, name).not.toMatch(/:\/\/[^/@]*:(?!\$\()[^/@]*@/)
      if (/PASSWORD|SECRET|KEY/.test(name)) expect(value, name).toMatch(/^\/etc\//)
    }
  })

  it.each(table.filter(([, { owner }]) => !owner.endsWith('-check')))('is closed by a policy: %s', (_, { set, labels }) => {
    const fits = ofKind(render(set), 'NetworkPolicy').filter(({ spec }) =>
      Object.entries(spec.podSelector.matchLabels).every(([key, value]) => labels[key] === value),
    )
    expect(fits).toHaveLength(1)
    expect(fits[0]!['spec'].policyTypes).toEqual(['Ingress', 'Egress'])
  })
})

describe.skipIf(noHelm)(named('every workload of the chart', noHelm), () => {
  const deployments = noHelm ? [] : ofKind(render('least'), 'Deployment')

  it('is one of the services’ halves', () => {
    const names = deployments.map(({ metadata }) => metadata.name.replace('rookery-', '')).sort()
    expect(names).toEqual([
      'auth',
      'auth-background',
      'federation',
      'federation-background',
      'gateway',
      'media',
      'media-background',
      'media-motion',
      'notifications',
      'notifications-background',
      'notifications-push',
      'statuses',
      'statuses-background',
      'statuses-fan-out',
      'streaming',
    ])
  })

  it('is a whole service where its halves are together, but for films', () => {
    const small = ofKind(render('small'), 'Deployment')
    const argsOf = (name: string) =>
      small.find(({ metadata }) => metadata.name === `rookery-${name}`)?.['spec'].template.spec.containers[0].args
    expect(Object.fromEntries(small.map(({ metadata }) => [metadata.name, argsOf(metadata.name.replace('rookery-', ''))]))).toEqual({
      'rookery-auth': ['services/auth/src/whole.ts'],
      'rookery-federation': ['services/federation/src/whole.ts'],
      'rookery-gateway': ['services/gateway/src/serve.ts'],
      'rookery-media': ['services/media/src/whole.ts'],
      'rookery-media-motion': ['services/media/src/background.ts'],
      'rookery-notifications': ['services/notifications/src/whole.ts'],
      'rookery-statuses': ['services/statuses/src/whole.ts'],
      'rookery-streaming': ['services/streaming/src/serve.ts'],
    })
  })

  it.each(deployments.map((each) => [each.metadata.name, each] as const))(
    'gives way one pod at a time, and never to broken ones: %s',
    (name) => {
      const budget = ofKind(render('least'), 'PodDisruptionBudget').find(({ metadata }) => metadata.name === name)
      expect(budget?.['spec']).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })
    },
  )

  it.each(deployments.map((each) => [each.metadata.name, each] as const))(
    'spreads over zones and hosts and never stops as a whole: %s',
    (_, { spec }) => {
      const keys = spec.template.spec.topologySpreadConstraints.map((each: Json) => each.topologyKey)
      expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname'])
      expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
      expect(spec.replicas).toBe(2)
    },
  )

  it('leaves the number of replicas to what scales it', () => {
    const scaled = render('large')
    for (const { spec } of ofKind(scaled, 'Deployment')) expect(spec).not.toHaveProperty('replicas')
    expect(ofKind(scaled, 'HorizontalPodAutoscaler').length + ofKind(scaled, 'ScaledObject').length).toBe(deployments.length)
  })

  it('stops before its next version starts where a volume is on one node', () => {
    const media = ofKind(render('ingress'), 'Deployment').filter(({ metadata }) => metadata.name.startsWith('rookery-media'))
    const [serving, background] = media.map(({ spec }) => spec)
    expect(serving.strategy).toEqual({ type: 'Recreate' })
    expect(background.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution).toHaveLength(1)
  })
})
