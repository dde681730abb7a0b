import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DECLARED } from './declared.ts'
import { containersOf, type Json, ofKind, one, podsOf, render, SETS, type SetName, template } from './render.ts'
import { named, run, whyNo } from './tools.ts'

/** Kinds that are not Kubernetes' own and have no schema beside this file (schemas/) either. */
const OTHERS = 'HTTPRoute,PodMonitor,PrometheusRule'

const lacking = whyNo('helm') ?? whyNo('kubeconform')

describe.skipIf(lacking)(named('the chart’s manifests', lacking), () => {
  it.each(Object.keys(SETS) as SetName[])('are what the API server takes: %s', (set) => {
    const folder = mkdtempSync(join(tmpdir(), 'manifests-'))
    try {
      const file = join(folder, 'all.yaml')
      writeFileSync(file, template(set).output)
      const schemas = [process.env['KUBERNETES_SCHEMAS'] ?? '', join(import.meta.dirname, 'schemas')]
      const locations = schemas.flatMap((path) => ['-schema-location', join(path, '{{ .ResourceKind }}{{ .KindSuffix }}.json')])
      const { isWell, output } = run('kubeconform', ['-strict', '-skip', OTHERS, ...locations, file])
      expect(output).toBe('')
      expect(isWell).toBe(true)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

const noHelm = whyNo('helm')
const stored = Object.entries(DECLARED)
  .flatMap(([name, { schema }]) => (schema ? [name] : []))
  .sort()

describe.skipIf(noHelm)(named('what the chart does around an installation', noHelm), () => {
  it('prepares secrets, then roles, then schemas, before anything starts', () => {
    const hooks = render('least')
      .filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']?.includes('pre-install'))
      .sort((a, b) => Number(a.metadata.annotations!['helm.sh/hook-weight']) - Number(b.metadata.annotations!['helm.sh/hook-weight']))
    expect(hooks.map(({ kind, metadata }) => (kind === 'Job' ? metadata.name : kind))).toEqual([
      'ServiceAccount',
      'Role',
      'RoleBinding',
      'rookery-make-secrets',
      'rookery-prepare-database',
      'rookery-migrate-expand',
    ])
    for (const { metadata } of hooks) expect(metadata.annotations!['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  })

  it('makes neither secrets nor roles where they are made by hand', () => {
    const manifests = render('ingress', { calls: { keySecret: 'birds-key' } })
    expect(ofKind(manifests, 'Job').map(({ metadata }) => metadata.name)).toEqual(['rookery-migrate-contract', 'rookery-migrate-expand'])
    for (const kind of ['ServiceAccount', 'Role', 'RoleBinding']) expect(ofKind(manifests, kind)).toEqual([])
    expect(manifests.filter(({ metadata }) => metadata.name.endsWith('make-secrets'))).toEqual([])
  })

  it.each(Object.keys(SETS) as SetName[])('holds no secret itself: %s', (set) => {
    expect(ofKind(render(set), 'Secret')).toEqual([])
  })

  it('is the same each time', () => {
    expect(render('least', {})).toEqual(render('least'))
  })

  it('makes those secrets that no one gives, with the right to create and no other, for as long as it takes', () => {
    const wanted = (set: SetName) => {
      const { containers } = one(render(set), 'Job', 'rookery-make-secrets')['spec'].template.spec
      return containers[0].env.find(({ name }: Json) => name === 'MAKE').value.split(',')
    }
    const roles = ['auth', 'federation', 'media', 'notifications', 'statuses'].map((name) => `rookery-database/${name}`)
    expect(wanted('least')).toEqual([...roles, 'rookery-calls/key'])
    expect(wanted('ingress')).toEqual(['rookery-calls/key'])
    expect(wanted('dev')).toEqual([...roles, 'rookery-database/administrator', 'rookery-calls/key'])
    const [role] = ofKind(render('least'), 'Role')
    expect(role!['rules']).toEqual([{ apiGroups: [''], resources: ['secrets'], verbs: ['create'] }])
    const named = render('least').filter(({ kind, metadata }) => metadata.name === 'rookery-make-secrets' && kind !== 'NetworkPolicy')
    for (const { metadata } of named) expect(metadata.annotations!['helm.sh/hook-delete-policy']).toContain('hook-succeeded')
    expect(named).toHaveLength(4)
  })

  it('names in every pod only secrets that are given or made', () => {
    const made = new Set(['rookery-database', 'rookery-calls'])
    const asked = podsOf(render('least')).flatMap(({ spec }) =>
      containersOf(spec).flatMap(({ env = [] }) => env.flatMap(({ valueFrom }: Json) => valueFrom?.secretKeyRef?.name ?? [])),
    )
    expect(new Set(asked.filter((name) => !made.has(name)))).toEqual(new Set(['rookery-mail', 'rookery-postgres-administrator']))
  })

  it('adds to schemas before an upgrade, and takes away after it', () => {
    const jobs = (set: SetName) =>
      ofKind(render(set), 'Job')
        .filter(({ metadata }) => metadata.name.startsWith('rookery-migrate-'))
        .map(({ metadata, spec }) => [
          metadata.annotations!['helm.sh/hook'],
          spec.template.spec.containers.map(({ args }: Json) => args.join(' ').replace(/services\/(\w+)\/src\/migrate.ts/, '$1')),
        ])
    const expanding = ['pre-install,pre-upgrade', stored.map((name) => `${name} expand`)]
    const contracting = ['post-upgrade', stored.map((name) => `${name} contract`)]
    expect(jobs('least')).toEqual([contracting, expanding])
    // Where the database is only just starting, pods add to their schemas themselves.
    expect(jobs('dev')).toEqual([contracting])
  })

  it('hands the administrator’s secret to one job only', () => {
    const holders = render('least').filter((manifest) => JSON.stringify(manifest).includes('rookery-postgres-administrator'))
    expect(holders.map(({ metadata }) => metadata.name)).toEqual(['rookery-prepare-database'])
  })

  it('keeps files when the release goes', () => {
    const [claim] = ofKind(render('least'), 'PersistentVolumeClaim')
    expect(claim!.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' })
    const own = { media: { persistence: { existingClaim: 'birds-files' } } }
    expect(ofKind(render('least', own), 'PersistentVolumeClaim')).toEqual([])
  })

  it('has no volume for files that are in a bucket', () => {
    const manifests = render('large')
    expect(ofKind(manifests, 'PersistentVolumeClaim')).toEqual([])
    expect(JSON.stringify(manifests)).not.toContain('persistentVolumeClaim')
    const { strategy, template } = one(manifests, 'Deployment', 'rookery-media')['spec']
    expect(strategy.type).toBe('RollingUpdate')
    expect(template.spec.volumes.find(({ name }: Json) => name === 'files')).toEqual({ name: 'files', emptyDir: { sizeLimit: '2Gi' } })
  })

  it('gives objects of a kind different names', () => {
    for (const set of Object.keys(SETS) as SetName[]) {
      const names = render(set).map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      expect(new Set(names).size).toBe(names.length)
    }
  })
})
