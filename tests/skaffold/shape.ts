import { z } from 'zod'

/** What of skaffold's configuration (skaffold.dev/docs/references/yaml, v4beta11) this project uses: no more may be said. */
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
const port = z.int().min(1).max(65535)
const path = z.string().min(1)
const value = z.union([z.string(), z.number(), z.boolean()])

const artifact = z.strictObject({
  image: name,
  context: path,
  docker: z.strictObject({ dockerfile: path, target: name, buildArgs: z.record(z.string(), z.string()).optional() }),
  sync: z.strictObject({ manual: z.array(z.strictObject({ src: path, dest: path })).min(1) }).optional(),
})

const build = z.strictObject({
  tagPolicy: z.union([z.strictObject({ inputDigest: z.strictObject({}) }), z.strictObject({ gitCommit: z.strictObject({}) })]),
  local: z.strictObject({ push: z.boolean().optional(), useBuildkit: z.boolean().optional(), concurrency: z.int().min(0).optional() }),
  artifacts: z.array(artifact).min(1),
})

const release = z.strictObject({
  name,
  namespace: name,
  createNamespace: z.boolean().optional(),
  chartPath: path,
  wait: z.boolean().optional(),
  valuesFiles: z.array(path).min(1),
  setValues: z.record(z.string(), value).optional(),
  setValueTemplates: z.record(z.string(), z.string()),
})

const hook = z.strictObject({ host: z.strictObject({ command: z.array(z.coerce.string()).min(1) }) })

const helm = z.strictObject({ releases: z.array(release).min(1), hooks: z.strictObject({ after: z.array(hook) }).optional() })

const deploy = z.strictObject({ statusCheckDeadlineSeconds: z.int().min(1).optional(), helm })

const forward = z.strictObject({
  resourceType: z.enum(['service', 'deployment']),
  resourceName: name,
  namespace: name,
  port,
  localPort: port,
})

const profile = z.strictObject({
  name,
  activation: z.array(z.strictObject({ command: z.enum(['dev', 'debug', 'run', 'build', 'deploy']) })).optional(),
  build: build.partial().optional(),
  deploy: deploy.extend({ helm: helm.partial() }).optional(),
  portForward: z.array(forward).optional(),
})

export const configuration = z.strictObject({
  apiVersion: z.literal('skaffold/v4beta11'),
  kind: z.literal('Config'),
  metadata: z.strictObject({ name }),
  build,
  deploy,
  portForward: z.array(forward),
  profiles: z.array(profile),
})

export type Configuration = z.infer<typeof configuration>
export type Release = z.infer<typeof release>

/** A configuration as it is once profiles are laid over it. */
export type Form = Pick<Configuration, 'build' | 'deploy' | 'portForward'>
