import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { processSettings, readServiceConfig } from '../../packages/runtime/src/service/config.ts'
import { DECLARED, hasHalf, ROOT, type ServiceName } from './declared.ts'
import { CHART, type Json, type Manifest, ofKind, one, render, SETS, type SetName } from './render.ts'
import { named, whyNo } from './tools.ts'

const noHelm = whyNo('helm')
const services = parse(readFileSync(join(CHART, 'files/services.yaml'), 'utf8')) as Record<string, Json>

const secretOf = (name: string) => {
  if (name === 'REDIS_URL') return 'rediss://secret.example'
  if (name === 'VAPID_PRIVATE_KEY') return Buffer.alloc(32, 7).toString('base64url')
  return name.endsWith('_URL') ? 'smtp://secret.example' : 'secret'.repeat(6)
}

/** What a container's process finds in its environment, secrets being some text. */
const environmentOf = (container: Json): Record<string, string> => {
  const environment: Record<string, string> = {}
  for (const { name, value, valueFrom } of container.env) {
    const text: string = valueFrom ? secretOf(name) : value
    environment[name] = text.replace(/\$\((\w+)\)/g, (_, other: string) => environment[other] ?? '')
  }
  return environment
}

describe('the chart’s list of services', () => {
  it('is that of the services themselves', () => {
    const own = Object.fromEntries(
      Object.entries(DECLARED).map(([name, { calls, schema, needsRedis = true }]) => [
        name,
        { calls: [...calls].sort(), schema: schema !== undefined, background: hasHalf(name, 'background'), redis: needsRedis },
      ]),
    )
    const listed = Object.fromEntries(
      Object.entries(services).map(([name, { calls, schema = false, background = false, redis = true }]) => [
        name,
        { calls: [...calls].sort(), schema, background, redis },
      ]),
    )
    expect(listed).toEqual(own)
  })

  it('has every topic from which a part takes events, and no other', () => {
    const listed = Object.entries(services).flatMap(([service, { topics = {} }]) =>
      Object.entries(topics as Record<string, string[]>).flatMap(([part, its]) => its.map((topic) => `${service} ${part} ${topic}`)),
    )
    const partOf = (service: ServiceName, consumer: string) =>
      Object.entries(DECLARED[service].parts ?? {}).find(([, names]) => names.includes(consumer))?.[0] ?? 'rest'
    const declaration = /(?:name: |logging\()'([a-z]+\.[a-z-]+)',\s*(?:topic: )?'([a-z]+\.v\d+)'/g
    const written = globSync('services/*/src/**/*.ts', { cwd: ROOT }).flatMap((path) => {
      const service = path.split('/')[1] as ServiceName
      const source = readFileSync(join(ROOT, path), 'utf8')
      return Array.from(source.matchAll(declaration), ([, name = '', topic = '']) => `${service} ${partOf(service, name)} ${topic}`)
    })
    expect(listed.sort()).toEqual([...new Set(written)].sort())
  })

  it('has a migration for each service with a schema', () => {
    for (const [name, { schema = false }] of Object.entries(services)) expect(hasHalf(name, 'migrate'), name).toBe(schema)
  })
})

describe.skipIf(noHelm)(named('the settings of processes in the chart', noHelm), () => {
  const containers = noHelm
    ? []
    : (Object.keys(SETS) as SetName[]).flatMap((set) => [
        ...ofKind(render(set), 'Deployment').map(
          ({ metadata, spec }) => [`${set} ${metadata.name}`, spec.template.spec.containers[0]] as const,
        ),
        // `helm test` brings a process of auth.
        ...ofKind(render(set), 'Pod').map(({ metadata, spec }) => [`${set} ${metadata.name}`, spec.initContainers[0]] as const),
      ])

  it.each(containers)('can be read by them: %s', (_, container) => {
    const declared = DECLARED[container.name as ServiceName]
    const environment = environmentOf(container)
    // Files are mounted in the cluster.
    for (const [name, value] of Object.entries(environment)) if (value.startsWith('/etc/rookery/')) environment[name] = import.meta.filename
    const config = readServiceConfig({ ...declared, hasDatabase: declared.schema !== undefined }, environment)
    expect(config).toMatchObject({ host: '0.0.0.0', healthPort: 9000 })
    expect(config.credentials.keys).toHaveLength(1)
    expect(() => declared.readConfig(environment)).not.toThrow()
  })

  it.each(containers)('is known to them: %s', async (_, container) => {
    const { settings = {} } = await import(join(ROOT, `services/${container.name}/src/config.ts`)).catch(() => ({}))
    const known = new Set([...Object.keys(settings), ...Object.keys(processSettings), 'NODE_EXTRA_CA_CERTS', 'STATUSES_CACHE_MEGABYTES'])
    const unknown = container.env
      .map(({ name }: Json) => name as string)
      .filter((name: string) => !known.has(name) && !/^[A-Z]+_(ADDRESS|DATABASE_URL|DATABASE_PASSWORD)$/.test(name))
    expect(unknown).toEqual([])
  })

  it('has the address of a Service that has the port', () => {
    const manifests = render('least')
    for (const { spec } of ofKind(manifests, 'Deployment')) {
      for (const { name, value } of spec.template.spec.containers[0].env) {
        if (!name.endsWith('_ADDRESS')) continue
        const [, host = '', port] = /^dns:\/\/\/(.+):(\d+)$/.exec(value) ?? []
        const service = one(manifests, 'Service', host)
        expect(service['spec'].clusterIP).toBe('None')
        const target = service['spec'].ports.find((each: Json) => String(each.port) === port)
        const ports = one(manifests, 'Deployment', host.replace(/-calls$/, ''))['spec'].template.spec.containers[0].ports
        expect(ports.find((each: Json) => each.name === target.targetPort)).toMatchObject({ containerPort: 7000 })
      }
    }
  })
})

describe.skipIf(noHelm)(named('the chart’s policies', noHelm), () => {
  const policyOf = (set: SetName, name: string) => one(render(set), 'NetworkPolicy', `rookery-${name}`)['spec']
  const componentsOf = (peers: Json[] = []) =>
    peers.map((peer) => peer.podSelector?.matchLabels['app.kubernetes.io/component']).filter(Boolean)
  const withHalves = (names: string[]) =>
    names.flatMap((name) => [
      name,
      ...(hasHalf(name, 'background') ? [`${name}-background`] : []),
      ...Object.keys(DECLARED[name as ServiceName].parts ?? {}).map((part) => `${name}-${part}`),
    ])

  it.each(Object.keys(DECLARED))('let in only the callers of %s', (name) => {
    const callers = Object.entries(DECLARED).flatMap(([caller, { calls }]) => (calls.includes(name) ? [caller] : []))
    const rule = policyOf('least', name).ingress.find((each: Json) => each.ports.some((port: Json) => port.port === 7000))
    const checks = callers.includes('auth') ? ['check'] : []
    expect(componentsOf(rule?.from).sort()).toEqual([...withHalves(callers), ...checks].sort())
  })

  it.each(Object.entries(DECLARED))('let %s out to those it calls', (name, { calls }) => {
    const rule = policyOf('least', name).egress.find((each: Json) => each.ports.some((port: Json) => port.port === 7000))
    expect(componentsOf(rule?.to).sort()).toEqual([...calls].sort())
  })

  it('let `helm test` out to those whom its process of auth calls', () => {
    const rule = policyOf('least', 'check').egress.find((each: Json) => each.ports.some((port: Json) => port.port === 7000))
    expect(componentsOf(rule?.to).sort()).toEqual([...DECLARED.auth.calls].sort())
  })

  it('let onto the internet only who asks for cards, mail, translations, push services and other servers, and never into private networks', () => {
    const outside = (set: SetName) =>
      ofKind(render(set), 'NetworkPolicy').flatMap(({ metadata, spec }) =>
        spec.egress
          ?.filter((rule: Json) => rule.to?.some((peer: Json) => peer.ipBlock))
          .map((rule: Json) => [metadata.name.replace('rookery-', ''), rule.ports.map((port: Json) => port.port), rule.to] as const),
      )
    expect(
      outside('least')
        .filter(Boolean)
        .map(([name, ports]) => [name, ports]),
    ).toEqual([
      ['auth', [587]],
      ['auth-background', [587]],
      ['federation', [443]],
      ['federation-background', [443]],
      ['media', [443]],
      ['media-background', [443]],
      ['notifications-push', [443]],
      ['statuses-background', [80, 443]],
    ])
    expect(
      outside('large')
        .filter(Boolean)
        .map(([name]) => name),
    ).toContain('statuses')
    for (const [, , peers] of outside('large').filter(Boolean)) {
      const ipv4 = peers.find((peer: Json) => peer.ipBlock.cidr === '0.0.0.0/0')
      for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8', '100.64.0.0/10'])
        expect(ipv4.ipBlock.except).toContain(range)
    }
  })

  /** Where a workload may go, as ports; that of a name is left out. */
  const waysOut = (manifests: readonly Manifest[], name: string) =>
    (one(manifests, 'NetworkPolicy', `rookery-${name}`)['spec'].egress as Json[])
      .map((rule) => ({ ports: rule.ports.map((port: Json) => port.port), to: rule.to }))
      .filter(({ ports }) => ports[0] !== 53)

  it('let what makes and serves files go nowhere but to where they are kept, and to other servers', () => {
    const servers = { ports: [443], to: expect.anything() }
    expect(waysOut(render('least'), 'media')).toEqual([{ ports: [5432] }, servers])
    expect(waysOut(render('least'), 'media-background')).toEqual([{ ports: [5432] }, { ports: [9092] }, servers])
    const bucket = { ports: [9000], to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'stores' } } }] }
    expect(waysOut(render('large'), 'media')).toEqual([{ ports: [5432] }, bucket, servers])
    expect(waysOut(render('large'), 'media-background')).toEqual([{ ports: [5432] }, { ports: [9093] }, bucket, servers])
    expect(waysOut(render('large'), 'media-motion')).toEqual([{ ports: [5432] }, bucket])
  })

  it.each([
    ['https://s3.example', 443],
    ['http://garage.stores', 80],
    ['http://garage.stores:3900', 3900],
  ])('let files go to the port of %s', (endpoint, port) => {
    const manifests = render('large', { media: { objectStorage: { endpoint, peers: [] } } })
    expect(waysOut(manifests, 'media')).toContainEqual({ ports: [port], to: undefined })
    const others = ['gateway', 'auth', 'notifications-background', 'streaming'].flatMap((name) => waysOut(manifests, name))
    expect(others.flatMap(({ ports }) => ports)).not.toContain(port)
  })

  it('let only those reach Redis that need it, and Kafka those that react to events', () => {
    const reach = (port: number) =>
      ofKind(render('least'), 'NetworkPolicy')
        .filter(({ spec }) => spec.egress.some((rule: Json) => rule.ports.some((each: Json) => each.port === port)))
        .map(({ metadata }) => metadata.name.replace('rookery-', ''))
    const needing = Object.entries(DECLARED).flatMap(([name, { needsRedis = true }]) => (needsRedis ? withHalves([name]) : []))
    expect(reach(6379).sort()).toEqual([...needing, 'check'].sort())
    const reacting = withHalves(Object.keys(DECLARED)).filter(
      (name) => !(name in DECLARED) && !['notifications-push', 'media-motion'].includes(name),
    )
    expect(reach(9092).sort()).toEqual(reacting.sort())
  })

  it('let only those with a schema reach the database', () => {
    const reach = ofKind(render('least'), 'NetworkPolicy')
      .filter(({ spec }) => spec.egress.some((rule: Json) => rule.ports.some((port: Json) => port.port === 5432)))
      .map(({ metadata }) => metadata.name.replace('rookery-', ''))
    const stored = Object.entries(DECLARED).flatMap(([name, { schema }]) => (schema ? [name] : []))
    expect(reach.sort()).toEqual([...withHalves(stored), 'check', 'migrate', 'prepare-database'].sort())
  })
})
