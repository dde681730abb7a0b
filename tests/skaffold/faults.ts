import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { FORWARDED } from '../../scripts/dev-proxy.ts'
import { ROOT } from '../chart/declared.ts'
import { FORMS, type FormName, formOf } from './forms.ts'
import { configuration, type Form, type Release } from './shape.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const dockerfile = read('deploy/Dockerfile')
const stages = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name)
const targets = [...dockerfile.matchAll(/^FROM \$\{FORM\} AS (\S+)$/gm)].map(([, name]) => name)
const services = Object.keys(parse(read('helm/rookery/files/services.yaml')) as object)
/** Where a process of an image for development runs. */
const [, workFolder] = /^ {4}cd (\S+)$/m.exec(read('deploy/run-changing.sh')) ?? []

type Schema = { properties?: Record<string, Schema>; propertyNames?: { enum: string[] }; additionalProperties?: Schema | boolean }
const values = JSON.parse(read('helm/rookery/values.schema.json')) as Schema

/** Whether the chart has a value, by its path. */
const hasValue = (path: string): boolean => {
  let at: Schema | undefined = values
  for (const key of path.split('.')) {
    const free: Schema | undefined = at?.propertyNames?.enum.includes(key) ? (at.additionalProperties as Schema) : undefined
    at = at?.properties?.[key] ?? free
  }
  return at !== undefined
}

const buildFaults = ({ build }: Form): string[] => {
  const faults: string[] = []
  const built = build.artifacts.map(({ docker }) => docker.target)
  for (const service of services) if (!built.includes(service)) faults.push(`nothing builds ${service}`)
  for (const { image, context, docker, sync } of build.artifacts) {
    if (!existsSync(join(ROOT, context, docker.dockerfile))) faults.push(`${image}: there is no ${docker.dockerfile}`)
    if (!targets.includes(docker.target)) faults.push(`${image}: the Dockerfile has no target ${docker.target}`)
    if (image !== `rookery-${docker.target}`) faults.push(`${image} is no name for ${docker.target}`)
    for (const [name, argument] of Object.entries(docker.buildArgs ?? {})) {
      if (!new RegExp(`^ARG ${name}=`, 'm').test(dockerfile)) faults.push(`${image}: the Dockerfile takes no ${name}`)
      if (name === 'FORM' && !stages.includes(argument)) faults.push(`${image}: the Dockerfile has no form ${argument}`)
    }
    const isChanging = docker.buildArgs?.['FORM'] === 'development'
    if (isChanging !== (sync !== undefined)) faults.push(`${image}: sources are put into images for development, and into no others`)
    const synced = sync?.manual.flatMap(({ src }) => globSync(src, { cwd: ROOT })) ?? []
    if (sync && !synced.includes(`services/${docker.target}/src/serve.ts`)) faults.push(`${image}: its own sources are not put into it`)
    for (const { src, dest } of sync?.manual ?? []) {
      if (globSync(src, { cwd: ROOT }).length === 0) faults.push(`${image}: there is nothing like ${src}`)
      if (dest !== workFolder) faults.push(`${image}: its process does not run in ${dest}`)
    }
  }
  return faults
}

const handedFaults = (release: Release, images: readonly string[]): string[] => {
  const faults: string[] = []
  for (const service of services) {
    const handed = release.setValueTemplates[`image.references.${service}`]
    const wanted = `{{.IMAGE_FULLY_QUALIFIED_rookery_${service}}}`
    if (handed !== wanted) faults.push(`the chart is to be given ${wanted} for ${service}, not ${handed}`)
    if (!images.includes(`rookery-${service}`)) faults.push(`there is no image for ${service}`)
  }
  return faults
}

const releaseFaults = ({ build, deploy }: Form, name: FormName): string[] => {
  const images = build.artifacts.map(({ image }) => image)
  return deploy.helm.releases.flatMap((release) => {
    const faults = handedFaults(release, images)
    if (!existsSync(join(ROOT, release.chartPath, 'Chart.yaml'))) faults.push(`there is no chart in ${release.chartPath}`)
    for (const file of release.valuesFiles) {
      const isGiven = /^\{\{\.[A-Z_]+\}\}$/.test(file)
      if (!isGiven && !existsSync(join(ROOT, file))) faults.push(`there is no ${file}`)
      if (isGiven !== (name === 'prod')) faults.push(`${file} is not for ${name}`)
    }
    for (const path of Object.keys({ ...release.setValues, ...release.setValueTemplates }))
      if (!hasValue(path)) faults.push(`the chart has no value ${path}`)
    for (const { host } of deploy.helm.hooks?.after ?? []) {
      const [program, verb, ...words] = host.command
      if (program !== 'helm' || verb !== 'test') faults.push(`${program} ${verb} is not what ends a deployment`)
      if (words[0] !== release.name || words[words.indexOf('--namespace') + 1] !== release.namespace)
        faults.push(`helm test is of another release than ${release.name} in ${release.namespace}`)
      if (!release.wait) faults.push('helm test comes before everything is ready')
    }
    return faults
  })
}

const forwardFaults = ({ portForward, deploy }: Form): string[] => {
  const faults: string[] = []
  const [release] = deploy.helm.releases
  for (const [service, localPort] of Object.entries(FORWARDED)) {
    const led = portForward.find((each) => each.localPort === localPort)
    if (led?.resourceName !== `rookery-${service}` || led.resourceType !== 'service')
      faults.push(`port ${localPort} does not lead to ${service}`)
  }
  const local = portForward.map((each) => each.localPort)
  if (new Set(local).size !== local.length) faults.push('two ports of the cluster lead to one of this machine')
  for (const { namespace, resourceName } of portForward)
    if (namespace !== release?.namespace) faults.push(`${resourceName} is not in ${namespace}`)
  return faults
}

/** Everything that is wrong with a configuration of skaffold, held against the tree. */
export const faultsOf = (given: unknown): string[] => {
  const { data, error } = configuration.safeParse(given)
  if (!data) return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const wanted = Object.keys(FORMS).filter((name) => name !== 'none')
  const names = data.profiles.map(({ name }) => name)
  if (names.join() !== wanted.join()) return [`the profiles are ${names}, not ${wanted}`]
  return (Object.keys(FORMS) as FormName[]).flatMap((name) => {
    const form = formOf(data, name)
    const faults = [...buildFaults(form), ...releaseFaults(form, name), ...forwardFaults(form)]
    return faults.map((fault) => `${name}: ${fault}`)
  })
}
