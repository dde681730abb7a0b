import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from './chart/declared.ts'
import { API_VERSIONS, containersOf, type Json, manifestsOf, one, podsOf } from './chart/render.ts'
import { named, run, whyNo } from './chart/tools.ts'
import { faultsOf } from './skaffold/faults.ts'
import { FORMS, type FormName, formOf } from './skaffold/forms.ts'
import { configuration } from './skaffold/shape.ts'

const noHelm = whyNo('helm')
const readIt = (): Json => parse(readFileSync(join(ROOT, 'skaffold.yaml'), 'utf8'), { merge: true })

/** A copy of its own for each: what an anchor names is one object in the parsed text. */
const copy = (): Json => JSON.parse(JSON.stringify(readIt()))
const profileOf = (config: Json, name: string): Json => config.profiles.find((each: Json) => each.name === name)

/** Ways to break it, and what is said then. */
const BROKEN: readonly [title: string, breaking: (config: Json) => unknown, words: string][] = [
  ['another version', (config) => (config.apiVersion = 'skaffold/v2beta1'), 'apiVersion'],
  ['a word there is not', (config) => (config.deploy.helm.release = []), 'Unrecognized key: "release"'],
  ['a target there is not', (config) => (config.build.artifacts[0].docker.target = 'gatewy'), 'the Dockerfile has no target gatewy'],
  ['a Dockerfile there is not', (config) => (config.build.artifacts[0].docker.dockerfile = 'Dockerfile'), 'there is no Dockerfile'],
  ['a service left out', (config) => config.build.artifacts.pop(), 'nothing builds streaming'],
  ['an image under another name', (config) => (config.build.artifacts[1].image = 'rookery-login'), 'rookery-login is no name for auth'],
  [
    'an argument the Dockerfile does not take',
    (config) => (profileOf(config, 'dev').build.artifacts[0].docker.buildArgs = { MODE: 'development' }),
    'takes no MODE',
  ],
  [
    'a form there is not',
    (config) => (profileOf(config, 'dev').build.artifacts[0].docker.buildArgs.FORM = 'dev'),
    'the Dockerfile has no form dev',
  ],
  ['sources put where nothing runs', (config) => (profileOf(config, 'dev').build.artifacts[2].sync.manual[0].dest = '/app'), 'run in /app'],
  [
    'sources that are not there',
    (config) => (profileOf(config, 'dev').build.artifacts[2].sync.manual[1].src = 'service/**'),
    'there is nothing like service/**',
  ],
  ['a chart that is not there', (config) => (config.deploy.helm.releases[0].chartPath = 'helm'), 'there is no chart in helm'],
  [
    'values that are not there',
    (config) => (config.deploy.helm.releases[0].valuesFiles = ['values-dev.yaml']),
    'there is no values-dev.yaml',
  ],
  [
    'a value the chart does not have',
    (config) => (profileOf(config, 'debug').deploy.helm.releases[0].setValues = { debugger: true }),
    'the chart has no value debugger',
  ],
  [
    'the image of another',
    (config) => (config.deploy.helm.releases[0].setValueTemplates['image.references.auth'] = '{{.IMAGE_FULLY_QUALIFIED_rookery_media}}'),
    'for auth, not',
  ],
  ['small stores in production', (config) => delete profileOf(config, 'prod').deploy.helm.releases, 'values-dev.yaml is not for prod'],
  ['a check before all is ready', (config) => delete profileOf(config, 'ci').deploy.helm.releases[0].wait, 'before everything is ready'],
  ['a port that leads elsewhere', (config) => (config.portForward[0].resourceName = 'rookery-auth'), 'port 3001 does not lead to gateway'],
  ['a port twice', (config) => (config.portForward[1].localPort = 3001), 'two ports of the cluster lead to one'],
  ['a profile left out', (config) => config.profiles.pop(), 'the profiles are dev,debug,ci, not'],
]

describe('skaffold.yaml', () => {
  it('says only what there is', () => {
    expect(faultsOf(copy())).toEqual([])
  })

  it.each(BROKEN)('is refused with %s', (_, breaking, words) => {
    const config = copy()
    breaking(config)
    expect(faultsOf(config).join('\n')).toContain(words)
  })
})

describe.skipIf(noHelm)(named('what skaffold would install', noHelm), () => {
  const handed = (service: string) => `registry.example/rookery-${service}:v1@sha256:${'a'.repeat(64)}`

  /** Does what skaffold does: hands over the chart, its values and the images that were built. */
  const install = (name: FormName) => {
    const form = formOf(configuration.parse(copy()), name)
    const manifests = form.deploy.helm.releases.flatMap((release) => {
      const versions = API_VERSIONS.flatMap((version) => ['--api-versions', version])
      const files = release.valuesFiles.map((file) => join(ROOT, file.replace('{{.ROOKERY_VALUES}}', 'helm/rookery/ci/large-values.yaml')))
      const images = Object.entries(release.setValueTemplates).map(
        ([path, text]) =>
          `${path}=${text.replace(/^\{\{\.IMAGE_FULLY_QUALIFIED_rookery_(\w+)\}\}$/, (_, service: string) => handed(service))}`,
      )
      const values = Object.entries(release.setValues ?? {}).map(([path, value]) => `${path}=${value}`)
      const sets = [...values, ...images].flatMap((each) => ['--set', each])
      const words = ['template', release.name, join(ROOT, release.chartPath), '--namespace', release.namespace]
      const { isWell, output, complaint } = run('helm', [...words, ...versions, ...sets, ...files.flatMap((file) => ['-f', file])])
      if (!isWell) throw new Error(complaint)
      return manifestsOf(output)
    })
    return { form, manifests }
  }

  it.each(Object.keys(FORMS) as FormName[])('runs the images that were built, and leads to what is there: %s', (name) => {
    const { form, manifests } = install(name)
    const ours = podsOf(manifests).flatMap(({ owner, spec }) =>
      owner.startsWith('StatefulSet/') ? [] : containersOf(spec).map(({ image }) => image as string),
    )
    const built = form.build.artifacts.map(({ docker }) => handed(docker.target))
    expect([...new Set(ours)].sort()).toEqual(built.sort())
    if (name === 'prod') return
    for (const { resourceType, resourceName, port } of form.portForward) {
      if (resourceType === 'service') {
        expect(one(manifests, 'Service', resourceName)['spec'].ports).toContainEqual(expect.objectContaining({ port }))
        continue
      }
      const [container] = one(manifests, 'Deployment', resourceName)['spec'].template.spec.containers
      expect(container.env).toContainEqual({ name: 'NODE_OPTIONS', value: `--inspect=127.0.0.1:${port}` })
      expect(container).not.toHaveProperty('livenessProbe')
    }
  })
})
