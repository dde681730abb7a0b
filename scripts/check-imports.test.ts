import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkImports } from './check-imports.ts'

/** A workspace that keeps every law. */
const SOUND: Record<string, string> = {
  'services/alpha/package.json': '{ "name": "@rookery/alpha", "exports": { ".": "./src/module.ts" } }',
  'services/alpha/src/serve.ts': "import './module.ts'\nimport { settings } from './config.ts'",
  'services/alpha/src/module.ts': "import { read } from './birds/index.ts'\nimport './nests/nest.rpc.ts'\nimport '@rookery/tools'",
  'services/alpha/src/config.ts': 'export const settings = process.env',
  'services/alpha/src/birds/index.ts': "export { read } from './read-bird.ts'",
  'services/alpha/src/birds/read-bird.ts':
    "import { birds } from './bird.store.ts'\nimport '../nests/index.ts'\nimport type { Nest } from '../database/tables/nest.ts'",
  'services/alpha/src/birds/bird.store.ts': "import '../database/schema.ts'\nexport const birds = db.selectFrom('bird')",
  'services/alpha/src/nests/index.ts': "import '../wing/eggs/index.ts'",
  'services/alpha/src/nests/nest.rpc.ts': "import '../database/tables/nest.ts'",
  'services/alpha/src/wing/eggs/index.ts': "import './lay-egg.ts'",
  'services/alpha/src/wing/eggs/lay-egg.ts': '',
  'services/alpha/src/database/tables/nest.ts': '// sql`not code`',
  'services/alpha/src/database/schema.ts': "import type { Nest } from './tables/nest.ts'",
  'services/alpha/src/birds/read-bird.test.ts': 'await sql`select 1`; process.env',
  'services/beta/package.json': '{ "name": "@rookery/beta", "exports": { ".": "./src/module.ts" } }',
  'services/beta/src/main.ts': "import './module.ts'",
  'services/beta/src/module.ts': '',
  'services/all-in-one/package.json': '{ "name": "@rookery/all-in-one", "exports": { ".": "./src/index.ts" } }',
  'services/all-in-one/src/index.ts': "import '@rookery/alpha'\nimport '@rookery/beta'",
  'packages/tools/package.json': '{ "name": "@rookery/tools", "exports": { ".": "./src/index.ts" } }',
  'packages/tools/src/index.ts':
    "await sql`select 1`; import type { Server } from 'node:http'; import { type Socket, isIP } from 'node:net'; socket.setTimeout(1)",
  'packages/test-world/package.json': '{ "name": "@rookery/test-world", "exports": { ".": "./src/index.ts" } }',
  'packages/test-world/src/index.ts': "import '@rookery/all-in-one'",
  'tests/journey.test.ts': "import '@rookery/test-world'",
}

/** Each fault: the file it is planted in, what is added to it, and what must be said of it. */
const PLANTED: [string, string, string][] = [
  ['services/alpha/src/module.ts', 'const port = process.env.PORT', 'reads the environment'],
  ['services/alpha/src/module.ts', "const port = process['env'].PORT", 'reads the environment'],
  ['packages/tools/src/index.ts', "import { env } from 'node:process'", 'reads the environment'],
  ['services/alpha/src/birds/read-bird.ts', "import '@rookery/beta'", 'imports the service beta'],
  ['services/alpha/src/birds/read-bird.ts', "await import('../../../beta/src/module.ts')", 'imports the service beta'],
  ['packages/tools/src/index.ts', "export * from '@rookery/alpha'", 'imports the service alpha'],
  ['packages/test-world/src/index.ts', "import '@rookery/alpha'", 'imports the service alpha'],
  ['services/alpha/src/nests/index.ts', "import { read } from '../birds/read-bird.ts'", 'enters the slice birds'],
  ['services/alpha/src/module.ts', "import './birds/read-bird.ts'", 'enters the slice birds'],
  ['services/alpha/src/birds/read-bird.ts', "import '../nests/nest.rpc.ts'", 'enters the slice nests'],
  ['services/alpha/src/birds/read-bird.ts', "import '../wing/eggs/lay-egg.ts'", 'enters the slice eggs'],
  [
    'services/alpha/src/nests/index.ts',
    "import { read } from '../birds/index.ts'",
    'imports itself by way of services/alpha/src/birds/index.ts',
  ],
  ['services/alpha/src/birds/bird.store.ts', "import type { read } from './read-bird.ts'", 'imports itself'],
  ['services/alpha/src/birds/read-bird.ts', 'sql<{ id: string }>`select id from bird`', 'holds SQL'],
  ['services/alpha/src/birds/read-bird.ts', "db.insertInto('bird')", 'holds SQL'],
  ['services/alpha/src/birds/read-bird.ts', "statement('bird', 'select 1')", 'holds SQL'],
  ['services/statuses/src/birds/bird.store.ts', 'sql`select id from status_head h where h.visibility <= 2`', 'decides by visibility'],
  [
    'services/statuses/src/birds/bird.rules.ts',
    'export const isOpen = (row) => row.visibility === Visibility.PUBLIC',
    'decides by visibility',
  ],
  ['services/statuses/src/birds/bird.store.ts', 'sql`not exists (select 1 from block where account_id = 1)`', 'decides by visibility'],
  ['services/statuses/src/birds/bird.store.ts', "db.selectFrom('mute').select('id')", 'decides by visibility'],
  ['services/alpha/src/birds/bird.store.ts', 'new pg.Client({ connectionString })', 'opens a session with Postgres by itself'],
  ['packages/tools/src/index.ts', 'const pool = new pg.Pool({})', 'opens a session with Postgres by itself'],
  [
    'services/alpha/src/module.ts',
    "import { createServer } from 'node:http'",
    'makes an emitter of its own with createServer of node:http',
  ],
  ['services/alpha/src/module.ts', "import http from 'node:http'", 'makes an emitter of its own with * of node:http'],
  ['packages/tools/src/index.ts', "import { type Socket, connect as dial } from 'node:net'", 'with connect of node:net'],
  ['packages/tools/src/index.ts', "const { spawn } = await import('node:child_process')", 'with * of node:child_process'],
  ['packages/tools/src/index.ts', "import { createWriteStream } from 'node:fs'", 'with createWriteStream of node:fs'],
  ['packages/tools/src/index.ts', "import { Redis } from 'ioredis'", 'with Redis of ioredis'],
  ['packages/tools/src/index.ts', 'answer.pipe(unpacker)', 'pipes a stream'],
  ['packages/tools/src/index.ts', 'setInterval(sweep, 1000)', 'starts a timer'],
  ['packages/tools/src/index.ts', "client.on('ready', async () => {})", 'gives an emitter a listener that may reject'],
  ['services/alpha/src/nests/nest-helper.ts', '', 'has a name that says nothing'],
  ['packages/tools/src/util/index.ts', '', 'has a name that says nothing'],
  ['services/alpha/src/birds/nobody-wants-it.ts', '', 'is used by nothing'],
  ['services/alpha/src/birds/read-bird.ts', "fork(new URL('../../../beta/src/module.ts', import.meta.url))", 'imports the service beta'],
]

describe('the import rules', () => {
  let root: string
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rules-'))
    for (const [path, text] of Object.entries(SOUND)) write(path, text)
  })
  afterEach(() => rmSync(root, { recursive: true }))

  test('let a sound workspace be', () => {
    expect(checkImports(root)).toEqual([])
  })

  test('count a module that a child process runs as used', () => {
    write(
      'services/alpha/src/birds/read-bird.ts',
      `${SOUND['services/alpha/src/birds/read-bird.ts']}\nfork(new URL('./hatch.ts', import.meta.url))`,
    )
    write('services/alpha/src/birds/hatch.ts', '')
    expect(checkImports(root)).toEqual([])
  })

  test.each(PLANTED)('find in %s: %s', (path, text, why) => {
    write(path, `${SOUND[path] ?? ''}\n${text}`)
    expect(checkImports(root)).toContainEqual({ path, why: expect.stringContaining(why) })
  })
})
