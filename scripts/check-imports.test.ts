import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textFaults } from './check-imports.ts'
import { FOLDERS, importRules } from './rules/imports.ts'

const manifest = (name: string, exports: Record<string, string>, dependencies: Record<string, string> = {}) =>
  JSON.stringify({ name: `@rookery/${name}`, type: 'module', exports, dependencies })

const LIBRARIES = ['express', 'sanitize-html', 'kafkajs', 'ioredis', 'pg', 'undeclared', 'for-tests']

/** A workspace that follows every rule. */
const SOUND: Record<string, string> = {
  'package.json': JSON.stringify({ devDependencies: { 'for-tests': '1' } }),
  ...Object.fromEntries(LIBRARIES.map((name) => [`node_modules/${name}/index.js`, ''])),
  ...Object.fromEntries(LIBRARIES.map((name) => [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })])),
  'services/auth/package.json': manifest('auth', { '.': './src/module.ts' }, { express: '1' }),
  'services/auth/src/serve.ts':
    "import './module.ts'\nimport { settings } from './config.ts'\nimport '@rookery/events/kafka'\nimport '@rookery/contracts/auth'",
  'services/auth/src/module.ts':
    "import { read } from './birds/index.ts'\nimport './nests/nest.rpc.ts'\nimport '@rookery/tools'\nimport './web/app.ts'",
  'services/auth/src/config.ts': 'export const settings = process.env',
  'services/auth/src/web/app.ts': "import express from 'express'\nimport '@rookery/contracts/statuses'",
  'services/auth/src/birds/index.ts': "export { read } from './read-bird.ts'",
  'services/auth/src/birds/read-bird.ts':
    "import { birds } from './bird.store.ts'\nimport '../nests/index.ts'\nimport './bird.rules.ts'\nimport type { Nest } from '../database/tables/nest.ts'",
  'services/auth/src/birds/bird.store.ts': "import '../database/schema.ts'\nexport const birds = db.selectFrom('bird')",
  'services/auth/src/birds/bird.rules.ts': 'export const isAwaited = (bird) => bird.isLate',
  'services/auth/src/birds/bird.rules.test.ts': "import './bird.rules.ts'",
  'services/auth/src/nests/index.ts': "import '../wing/eggs/index.ts'",
  'services/auth/src/nests/nest.rpc.ts': "import '../database/tables/nest.ts'\nimport '@rookery/rpc'",
  'services/auth/src/wing/eggs/index.ts': "import './lay-egg.ts'",
  'services/auth/src/wing/eggs/lay-egg.ts': "import '@rookery/rpc/call-within'\nfork(new URL('./hatch-process.ts', import.meta.url))",
  'services/auth/src/wing/eggs/hatch-process.ts': '',
  'services/auth/src/database/tables/nest.ts': '// sql`not code`',
  'services/auth/src/database/schema.ts': "import type { Nest } from './tables/nest.ts'",
  'services/auth/src/birds/read-bird.test.ts': "import 'for-tests'; await sql`select 1`; process.env",
  'services/media/package.json': manifest('media', { '.': './src/module.ts' }),
  'services/media/src/main.ts': "import './module.ts'",
  'services/media/src/module.ts': "import type { Focus } from '@rookery/contracts/statuses'",
  ...Object.fromEntries(
    ['gateway', 'streaming', 'notifications', 'federation', 'statuses'].map((name) => [`services/${name}/src/main.ts`, '']),
  ),
  'services/all-in-one/package.json': manifest('all-in-one', { '.': './src/index.ts' }),
  'services/all-in-one/src/index.ts': "import '@rookery/auth'\nimport '@rookery/media'",
  'packages/contracts/package.json': manifest('contracts', { './auth': './src/auth.ts', './statuses': './src/statuses.ts' }),
  'packages/contracts/src/auth.ts': '',
  'packages/contracts/src/statuses.ts': '',
  'packages/rpc/package.json': manifest('rpc', { '.': './src/index.ts', './call-within': './src/call-within.ts' }),
  'packages/rpc/src/index.ts': '',
  'packages/rpc/src/call-within.ts': '',
  'packages/events/package.json': manifest('events', { './kafka': './src/kafka/bus.ts' }),
  'packages/events/src/kafka/bus.ts': '',
  'packages/tools/package.json': manifest('tools', { '.': './src/index.ts' }),
  'packages/tools/src/index.ts':
    "await sql`select 1`; import type { Server } from 'node:http'; import { type Socket, isIP } from 'node:net'; socket.setTimeout(1)",
  'packages/test-world/package.json': manifest('test-world', { '.': './src/index.ts' }),
  'packages/test-world/src/index.ts': "import '@rookery/all-in-one'",
  'tests/journey.test.ts': "import '@rookery/test-world'",
  'scripts/run.ts': "import '../packages/tools/src/index.ts'",
}

/** Files that the faulty imports refer to. */
const REACHED: Record<string, string> = {
  'services/auth/package.json': manifest('auth', { '.': './src/module.ts' }, { express: '1', unused: '1' }),
  'packages/tools/package.json': manifest('tools', { '.': './src/index.ts' }, { kafkajs: '1', ioredis: '1', 'sanitize-html': '1' }),
  'packages/contracts/src/media.ts': '',
  'packages/contracts/src/streaming.ts': '',
  'services/auth/src/birds/lay-bird.ts': '',
  'services/statuses/src/moderation/one.ts': '',
  'services/auth/src/operator/one.ts': '',
}

/** Faults of imports: the rule, the file that breaks it, and the import. */
const IMPORTED: [law: string, path: string, text: string, why: string][] = [
  ['services-meet-in-contracts', 'services/auth/src/birds/read-bird.ts', "import '@rookery/media'", 'imports another service'],
  [
    'services-meet-in-contracts',
    'services/auth/src/birds/lazy.ts',
    "await import('../../../media/src/module.ts')",
    'imports another service',
  ],
  ['packages-know-no-service', 'packages/tools/src/index.ts', "export * from '@rookery/media'", 'imports a service'],
  ['test-world-opens-all-in-one', 'packages/test-world/src/index.ts', "import '@rookery/media'", 'imports a service by itself'],
  ['calls-of-media', 'services/media/src/module.ts', "import { A } from '@rookery/contracts/auth'", 'may not call that service'],
  ['calls-of-auth', 'services/auth/src/birds/calls.ts', "import { M } from '../../../../packages/contracts/src/media.ts'", 'may not call'],
  ['calls-of-gateway', 'services/gateway/src/main.ts', "import '../../../packages/contracts/src/streaming.ts'", 'may not call'],
  ['calls-of-streaming', 'services/streaming/src/main.ts', "import '../../../packages/contracts/src/media.ts'", 'may not call'],
  ['calls-of-notifications', 'services/notifications/src/main.ts', "import '@rookery/contracts/auth'", 'may not call'],
  ['calls-of-federation', 'services/federation/src/main.ts', "import '@rookery/contracts/auth'", 'may not call'],
  ['calls-of-statuses', 'services/statuses/src/main.ts', "import { A } from '@rookery/contracts/auth'", 'may not call that service'],
  ['adapters-at-the-edge', 'services/auth/src/module.ts', "import { openBus } from '@rookery/events/kafka'", 'imports an adapter'],
  ['adapters-at-the-edge', 'services/media/src/module.ts', "import { Redis } from 'ioredis'", 'imports an adapter'],
  ['kafkajs-in-events', 'packages/tools/src/index.ts', "import { Kafka } from 'kafkajs'", 'imports kafkajs'],
  ['ioredis-in-ephemeral', 'packages/tools/src/index.ts', "import type { Redis } from 'ioredis'", 'imports ioredis'],
  ['domain-knows-no-transport', 'services/auth/src/birds/read-bird.ts', "import type { Server } from 'node:http'", 'knows HTTP or gRPC'],
  ['domain-knows-no-transport', 'services/auth/src/birds/ring-bird.ts', "import express from 'express'", 'knows HTTP or gRPC'],
  [
    'rules-and-stores-know-no-transport',
    'services/auth/src/web/form.rules.ts',
    "import type { Server } from 'http'",
    'no rule and no store',
  ],
  ['calls-arrive-in-rpc-files', 'services/auth/src/birds/read-bird.ts', "import { handler } from '@rookery/rpc'", 'handles calls'],
  ['slices-meet-in-index', 'services/auth/src/nests/index.ts', "import '../birds/lay-bird.ts'", 'enters a slice behind its index.ts'],
  ['slices-meet-in-index', 'services/auth/src/birds/read-bird.ts', "import '../nests/nest.rpc.ts'", 'enters a slice'],
  ['slices-meet-in-index', 'services/auth/src/birds/read-bird.ts', "import '../wing/eggs/lay-egg.ts'", 'enters a slice'],
  ['slices-are-entered-by-index', 'services/auth/src/web/app.ts', "import '../wing/eggs/lay-egg.ts'", 'enters a slice'],
  ['parts-meet-in-the-module', 'services/auth/src/module.ts', "import './birds/read-bird.ts'", 'enters a slice'],
  ['no-circle-of-files', 'services/auth/src/birds/bird.store.ts', "import type { read } from './read-bird.ts'", 'imports itself by way of'],
  ['html-in-markup', 'packages/tools/src/index.ts', "import sanitize from 'sanitize-html'", 'imports sanitize-html'],
  ['no-missing-dependency', 'packages/tools/src/index.ts', "import 'nowhere'", 'imports what its manifest does not name nowhere'],
  ['no-undeclared-dependency', 'packages/tools/src/index.ts', "import 'undeclared'", 'imports what its manifest does not name'],
  ['no-test-dependency', 'packages/tools/src/index.ts', "import 'for-tests'", 'imports what its manifest names for tests alone'],
  ['used-by-a-process', 'services/auth/src/birds/unused.ts', '', 'is used by nothing'],
  ['used-by-a-test', 'services/auth/tests/unused.ts', '', 'is used by nothing'],
]

/** Each folder of a service imports the one below it. */
for (const [service, folders] of Object.entries(FOLDERS))
  for (const [index, folder] of folders.slice(0, -1).entries())
    IMPORTED.push([
      `order-of-${service}-${folder}`,
      `services/${service}/src/${folder}/one.ts`,
      `import '../${folders[index + 1]}/one.ts'`,
      `is in ${folder}, which knows nothing of the folders below it`,
    ])

/** Faults of text: the file, the added text, and the expected message. */
const WRITTEN: [string, string, string][] = [
  ['services/auth/src/module.ts', 'const port = process.env.PORT', 'reads the environment'],
  ['services/auth/src/module.ts', "const port = process['env'].PORT", 'reads the environment'],
  ['packages/tools/src/index.ts', "import { env } from 'node:process'", 'reads the environment'],
  ['services/auth/src/birds/read-bird.ts', 'sql<{ id: string }>`select id from bird`', 'holds SQL'],
  ['services/auth/src/birds/read-bird.ts', "db.insertInto('bird')", 'holds SQL'],
  ['services/auth/src/birds/read-bird.ts', "prepared('bird', build)", 'holds SQL'],
  ['services/auth/src/birds/bird.rules.ts', 'export const late = async () => 1', 'awaits'],
  ['services/auth/src/birds/bird.rules.ts', 'export const late = () => Promise.resolve(1)', 'awaits'],
  ['services/auth/src/nests/nest.rules.ts', '', 'has no *.rules.test.ts beside it'],
  ['services/statuses/src/birds/bird.store.ts', 'sql`select id from status_head h where h.visibility <= 2`', 'decides by visibility'],
  [
    'services/statuses/src/birds/bird.rules.ts',
    'export const isOpen = (row) => row.visibility === Visibility.PUBLIC',
    'decides by visibility',
  ],
  ['services/statuses/src/birds/bird.store.ts', 'sql`not exists (select 1 from block where account_id = 1)`', 'decides by visibility'],
  ['services/statuses/src/birds/bird.store.ts', "db.selectFrom('mute').select('id')", 'decides by visibility'],
  ['services/statuses/src/birds/bird.store.ts', 'sql`exists (select 1 from domain_block where account_id = 1)`', 'decides by visibility'],
  ['services/statuses/src/birds/bird.store.ts', 'sql`select id from account a where not a.is_suspended`', 'decides by visibility'],
  ['services/auth/src/birds/bird.store.ts', 'new pg.Client({ connectionString })', 'opens a session with Postgres by itself'],
  ['packages/tools/src/index.ts', 'const pool = new pg.Pool({})', 'opens a session with Postgres by itself'],
  ['services/auth/src/module.ts', "import { createServer } from 'node:http'", 'makes an emitter of its own with createServer of node:http'],
  ['services/auth/src/module.ts', "import http from 'node:http'", 'makes an emitter of its own with * of node:http'],
  ['packages/tools/src/index.ts', "import { type Socket, connect as dial } from 'node:net'", 'with connect of node:net'],
  ['packages/tools/src/index.ts', "const { spawn } = await import('node:child_process')", 'with * of node:child_process'],
  ['packages/tools/src/index.ts', "import { createWriteStream } from 'node:fs'", 'with createWriteStream of node:fs'],
  ['packages/tools/src/index.ts', "import { Redis } from 'ioredis'", 'with Redis of ioredis'],
  ['packages/tools/src/index.ts', 'answer.pipe(unpacker)', 'pipes a stream'],
  ['packages/tools/src/index.ts', 'setInterval(sweep, 1000)', 'starts a timer'],
  ['packages/tools/src/index.ts', "client.on('ready', async () => {})", 'gives an emitter a listener that may reject'],
  ['services/auth/src/nests/nest-helper.ts', '', 'has a name that says nothing'],
  ['packages/tools/src/util/index.ts', '', 'has a name that says nothing'],
]

const write = (root: string, path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Creates a workspace in a temporary folder. */
const makeWorkspace = (files: Record<string, string>): string => {
  const root = mkdtempSync(join(tmpdir(), 'rules-'))
  for (const [path, text] of Object.entries(files)) write(root, path, text)
  mkdirSync(join(root, 'node_modules/@rookery'), { recursive: true })
  for (const path of Object.keys(files).filter((each) => /^(packages|services)\/[^/]+\/package\.json$/.test(each)))
    symlinkSync(join(root, dirname(path)), join(root, 'node_modules/@rookery', basename(dirname(path))))
  return root
}

/** The output of the check for a workspace. Runs in a process of its own, because dependency-cruiser reads its working directory. */
const check = (root: string): string[] => {
  const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'check-imports.ts')], { cwd: root, encoding: 'utf8' })
  return `${stdout}${stderr}`.split('\n').filter(Boolean)
}

describe('the laws', () => {
  let sound: string
  beforeAll(() => {
    sound = makeWorkspace(SOUND)
  })
  afterAll(() => rmSync(sound, { recursive: true }))

  test('say nothing of a workspace that keeps them', () => {
    expect(check(sound)).toEqual([])
  })

  test.each(WRITTEN)('find in %s: %s', (path, text, why) => {
    const before = SOUND[path]
    write(sound, path, `${before ?? ''}\n${text}`)
    const faults = textFaults(sound)
    if (before === undefined) rmSync(join(sound, path))
    else write(sound, path, before)
    expect(faults).toContainEqual({ path, why: expect.stringContaining(why) })
  })
})

describe('the laws about imports', () => {
  let root: string
  let said: string[]
  beforeAll(() => {
    const files = { ...SOUND, ...REACHED }
    for (const [, path, text] of IMPORTED) files[path] = `${files[path] ?? ''}\n${text}`
    root = makeWorkspace(files)
    said = check(root)
  })
  afterAll(() => rmSync(root, { recursive: true }))

  test.each(IMPORTED)('%s is broken in %s by %s', (_law, path, _text, why) => {
    expect(said.filter((line) => line.startsWith(`${path} `))).toContainEqual(expect.stringContaining(why))
  })

  test('find folders that are built on each other', () => {
    expect(said).toContainEqual(
      'services/auth/src/nests is built on a folder that is built on it by way of services/auth/src/birds, services/auth/src/nests',
    )
  })

  test('find a dependency of a manifest that is not used', () => {
    expect(said).toContainEqual('services/auth/package.json names a dependency that is not used: unused')
  })

  test('are all broken here', () => {
    const broken = new Set([...IMPORTED.map(([law]) => law), 'no-circle-of-folders'])
    expect(broken).toEqual(new Set(importRules().map(({ name }) => name)))
  })
})
