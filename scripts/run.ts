import { spawnSync } from 'node:child_process'

/** The commands of `npm run NAME`, on the workspace's own Node. Each loads only the modules it needs. */
const COMMANDS: Record<string, (rest: string[]) => Promise<unknown>> = {
  start: () => import('../services/all-in-one/src/main.ts'),
  services: async () => (await import('./services.ts')).runServices(),
  'dev-proxy': async () => (await import('./dev-proxy.ts')).runDevProxy(),
  backup: (rest) => keep(['backup', ...rest]),
  restore: (rest) => keep(['restore', ...rest]),
  rookery: async (rest) => {
    const { runCommand } = await import('../packages/cli/src/index.ts')
    process.exitCode = await runCommand(rest, { print: console.log, complain: console.error })
  },
  test: async (rest) => exitWith(await (await import('./test.ts')).test(rest)),
  load: async (rest) => exitWith((await import('./load.ts')).load(rest)),
  'test:cluster': async (rest) => exitWith(await (await import('./test.ts')).test(rest, { config: 'vitest.cluster.config.ts' })),
  bench: async (rest) => (await import('../packages/bench/src/index.ts')).bench(rest),
  check: async () => exitWith(await (await import('./check.ts')).check()),
  generate: async () => (await import('./generate.ts')).generate(process.cwd()),
  format: async () =>
    exitWith(spawnSync('biome', ['check', '--write', '--diagnostic-level=error', '.'], { stdio: 'inherit' }).status === 0),
}

const keep = async (words: string[]) => {
  const { runBackupCommand } = await import('../services/all-in-one/src/backup/command.ts')
  process.exit(await runBackupCommand(words, process.env, { print: console.log, complain: console.error }))
}

const exitWith = (isSound: boolean) => process.exit(isSound ? 0 : 1)

const [name = '', ...rest] = process.argv.slice(2)
const command = COMMANDS[name]
if (!command) {
  console.error(`There is no command ${name}. There are: ${Object.keys(COMMANDS).join(', ')}`)
  process.exit(1)
}
await command(rest)
