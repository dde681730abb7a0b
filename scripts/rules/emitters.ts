import { ofProduct, type Rule, type Source } from './sources.ts'

/** Functions that create emitters: their module and names, and the files that may import them because they handle the errors. */
type Maker = { readonly module: RegExp; readonly names: RegExp; readonly homes: readonly string[] }

const MAKERS: readonly Maker[] = [
  {
    module: /^(node:)?(net|tls|https?|http2)$/,
    names: /^(createServer|createSecureServer|createConnection|connect|request|get|Server|Socket|TLSSocket|\*)$/,
    homes: [
      'packages/http/src/server.ts',
      'packages/handles/src/requests.ts',
      'packages/handles/src/sockets.ts',
      'packages/rpc/src/connecting.ts',
      'packages/events/src/kafka/connections.ts',
    ],
  },
  { module: /^(node:)?fs$/, names: /^(createReadStream|createWriteStream|watch|watchFile|ReadStream|WriteStream|\*)$/, homes: [] },
  {
    module: /^(node:)?child_process$/,
    names: /^(spawn|exec|execFile|fork|\*)$/,
    homes: [
      'packages/embedded-postgres/src/programs.ts',
      'services/media/src/processing/picture-child.ts',
      'services/media/src/motion/run-tool.ts',
    ],
  },
  {
    module: /^(node:)?stream$/,
    names: /^(Readable|Writable|Duplex|Transform|PassThrough|pipeline|finished|compose|\*)$/,
    homes: ['services/auth/src/accounts/exports/write-archive.ts'],
  },
  {
    module: /^(node:)?zlib$/,
    names: /^(create\w+|\*)$/,
    homes: [
      'packages/ssrf-safe-fetch/src/body.ts',
      'services/all-in-one/src/backup/command.ts',
      'services/all-in-one/src/backup/archive.ts',
    ],
  },
  { module: /^(node:)?events$/, names: /^(EventEmitter|\*)$/, homes: ['packages/jobs/src/living-pools.ts'] },
  { module: /^(node:)?(worker_threads|readline|dgram|cluster|repl)$/, names: /./, homes: [] },
  { module: /^ioredis$/, names: /./, homes: ['packages/ephemeral/src/redis/connection.ts'] },
  { module: /^ws$/, names: /./, homes: ['services/streaming/src/transports/websocket.ts'] },
  { module: /^tar-stream$/, names: /./, homes: ['services/all-in-one/src/backup/archive.ts'] },
  { module: /^yazl$/, names: /./, homes: ['services/auth/src/accounts/exports/write-archive.ts'] },
]

const IMPORT = /\bimport\s+(?!type\b)([^'"`;]+?)\s+from\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/g

/** The values that a file imports, by module; `*` for a whole module. */
const importedBy = ({ text }: Source): { module: string; name: string }[] =>
  [...text.matchAll(IMPORT)].flatMap(([, clause = '*', fixed, dynamic]) => {
    const module = fixed ?? dynamic ?? ''
    const braces = /\{([^}]*)\}/.exec(clause)?.[1]
    if (braces === undefined) return [{ module, name: '*' }]
    const names = braces.split(',').map((name) => name.trim().split(/\s+as\s+/)[0]!)
    return names.filter((name) => name !== '' && !name.startsWith('type ')).map((name) => ({ module, name }))
  })

const makersIn = (source: Source): string[] =>
  importedBy(source)
    .filter(({ module, name }) =>
      MAKERS.some((maker) => maker.module.test(module) && maker.names.test(name) && !maker.homes.includes(source.path)),
    )
    .map(({ module, name }) => `makes an emitter of its own with ${name} of ${module}; packages/handles has what listens to errors`)

/** Files that may use timers: in batching, the work that `setImmediate` runs rejects its callers. */
const TIMER_HOMES = ['packages/handles/src/timers.ts', 'packages/batching/src/index.ts']

const TEXTS: readonly { text: RegExp; why: string; homes?: readonly string[] }[] = [
  {
    text: /(?<![.\w])set(Timeout|Interval|Immediate)\s*\(/,
    why: 'starts a timer whose errors nothing handles; every and after of packages/handles do',
    homes: TIMER_HOMES,
  },
  { text: /\.pipe\(/, why: 'pipes a stream, which passes on no error; pipeline of node:stream/promises does' },
  {
    text: /\.(on|once|addListener|prependListener)\(\s*['"`][^'"`]+['"`]\s*,\s*async\b/,
    why: 'gives an emitter a listener that may reject',
  },
]

const textsIn = ({ path, text }: Source): string[] =>
  TEXTS.filter((each) => each.text.test(text) && !each.homes?.includes(path)).map(({ why }) => why)

/** Test packages and benchmarks: an error there should end the run. */
const FOR_TESTS = /^packages\/(test-stores|test-world|bench)\//

/** No emitter or timer without an error handler: they are created in a few files, which attach one. */
export const emitters: Rule = (sources) =>
  ofProduct(sources)
    .filter(({ path }) => !FOR_TESTS.test(path))
    .flatMap((source) => [...makersIn(source), ...textsIn(source)].map((why) => ({ path: source.path, why })))
