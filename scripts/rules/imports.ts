import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import type { IDependentsForbiddenRuleType, IForbiddenRuleType, IRegularForbiddenRuleType } from 'dependency-cruiser'

/** A rule of dependency-cruiser; `comment` is the message for a violation. */
type ImportRule = IForbiddenRuleType & { name: string; comment: string }

type Parts =
  | (Pick<IRegularForbiddenRuleType, 'scope' | 'from'> & { to: IRegularForbiddenRuleType['to'] & { reachable?: boolean } })
  | Pick<IDependentsForbiddenRuleType, 'module' | 'from'>

const TESTS = '\\.(test|conformance)\\.ts$|(^|/)tests/|^packages/test-'
const PRODUCT = { path: '^(packages|services)/[^/]+/src/', pathNot: [TESTS] }

const rule = (name: string, comment: string, parts: Parts): ImportRule => ({
  name,
  comment,
  severity: 'error',
  ...parts,
})

const library = (...names: string[]) => `(^|(^|/)node_modules/)(@types/)?(${names.join('|')})(/|$)`
const builtIn = (...names: string[]) => `^(node:)?(${names.join('|')})$`

/** Law 1: services meet in proto/ only; one process contains them all, and the test world opens that one. */
const SERVICES = [
  rule('services-meet-in-contracts', 'imports another service', {
    from: { path: '^services/([^/]+)/src/', pathNot: [TESTS, '^services/all-in-one/'] },
    to: { path: '^services/', pathNot: '^services/$1/' },
  }),
  rule('packages-know-no-service', 'imports a service', {
    from: { path: '^packages/', pathNot: '^packages/test-world/' },
    to: { path: '^services/' },
  }),
  rule('test-world-opens-all-in-one', 'imports a service by itself', {
    from: { path: '^packages/test-world/' },
    to: { path: '^services/', pathNot: '^services/all-in-one/' },
  }),
]

/** Law 3: the services that each service may call. */
const CALLS: Record<string, readonly string[]> = {
  gateway: ['auth', 'statuses', 'media', 'notifications', 'federation'],
  streaming: ['auth', 'statuses'],
  auth: ['statuses', 'federation'],
  notifications: ['statuses'],
  federation: ['statuses'],
  statuses: ['media'],
  media: [],
}

/** The definition of a service creates a client of it; other messages are only types. */
const DOWNHILL = Object.entries(CALLS).map(([service, callees]) =>
  rule(`calls-of-${service}`, 'may not call that service', {
    from: { path: `^services/${service}/src/`, pathNot: TESTS },
    to: {
      path: `^packages/contracts/src/(${Object.keys(CALLS).join('|')})\\.ts$`,
      pathNot: `^packages/contracts/src/(${[service, ...callees].join('|')})\\.ts$`,
      dependencyTypesNot: ['type-only'],
    },
  }),
)

/** Law 7: a few files of a service choose its stores and transports. */
const PROCESS_FILES = '^services/[^/]+/src/(serve|background|whole|process|migrate)\\.ts$'
const ADAPTERS = [
  rule('adapters-at-the-edge', 'imports an adapter; serve.ts, background.ts, whole.ts, process.ts and migrate.ts choose them', {
    from: { path: '^services/[^/]+/src/', pathNot: [TESTS, PROCESS_FILES, '^services/all-in-one/'] },
    to: { path: ['^packages/(runtime/src/service|events/src/kafka|ephemeral/src/redis)/', library('kafkajs', 'ioredis', 'pg')] },
  }),
  rule('kafkajs-in-events', 'imports kafkajs; packages/events/src/kafka may', {
    from: { ...PRODUCT, pathNot: [TESTS, '^packages/events/src/kafka/', '^services/'] },
    to: { path: library('kafkajs') },
  }),
  rule('ioredis-in-ephemeral', 'imports ioredis; packages/ephemeral/src/redis may', {
    from: { ...PRODUCT, pathNot: [TESTS, '^packages/ephemeral/src/redis/', '^services/'] },
    to: { path: library('ioredis') },
  }),
]

/** The files that speak HTTP, and media's bucket client. */
const EDGES = [
  '^services/auth/src/(app|public-side)\\.ts$',
  '^services/auth/src/(web|oauth/(grants|provider)|settings)/',
  '^services/media/src/(serving|storage)/',
  '^services/federation/src/serving/',
]
const TRANSPORTS = [builtIn('http', 'https', 'http2', 'net', 'tls'), library('express', 'express-rate-limit', '@grpc/grpc-js', 'ws')]

/** Law 8: the domain knows neither HTTP nor gRPC. */
const DOMAIN = [
  rule('domain-knows-no-transport', 'knows HTTP or gRPC; only the edges of a service may', {
    from: { path: '^services/(auth|statuses|media|notifications|federation)/src/', pathNot: [TESTS, ...EDGES] },
    to: { path: TRANSPORTS },
  }),
  rule('rules-and-stores-know-no-transport', 'knows HTTP or gRPC; no rule and no store may', {
    from: { path: '^services/.*\\.(store|predicates|rules|events|message)\\.ts$' },
    to: { path: TRANSPORTS },
  }),
  rule('calls-arrive-in-rpc-files', 'handles calls; only *.rpc.ts and the edges may', {
    from: {
      path: '^services/[^/]+/src/',
      pathNot: [TESTS, '\\.rpc\\.ts$', '^services/all-in-one/', '^services/gateway/src/http/', '^services/streaming/src/transports/'],
    },
    to: { path: '^packages/rpc/src/', pathNot: '/call-within\\.ts$', dependencyTypesNot: ['type-only'] },
  }),
]

const PARTS = '*.{rpc,job,consumer}.ts'

/** The outermost folders with an index.ts or with parts; a folder of slices is not one itself. */
const slicesOf = (): string[] => {
  const folders = globSync('{packages,services}/*/src/**/')
    .filter((folder) => !/\/src\/?$/.test(folder))
    .filter((folder) => existsSync(join(folder, 'index.ts')) || globSync(PARTS, { cwd: folder }).length > 0)
    .map((folder) => folder.replace(/\/$/, ''))
  return folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
}

/** Slices meet in their index.ts; the files directly in src compose them. */
const sliceRules = (): ImportRule[] => {
  const slices = `(${slicesOf().join('|')})`
  const inside = rule('slices-meet-in-index', 'enters a slice behind its index.ts', {
    from: { path: `^${slices}/`, pathNot: TESTS },
    to: { path: `^${slices}/`, pathNot: ['^$1/', `^${slices}/index\\.ts$`] },
  })
  const outside = rule('slices-are-entered-by-index', 'enters a slice behind its index.ts', {
    from: { ...PRODUCT, pathNot: [TESTS, `^${slices}/`, '^(packages|services)/[^/]+/src/[^/]+$'] },
    to: { path: `^${slices}/`, pathNot: `^${slices}/index\\.ts$` },
  })
  const top = rule('parts-meet-in-the-module', 'enters a slice behind its index.ts', {
    from: { path: '^((packages|services)/[^/]+)/src/[^/]+$', pathNot: TESTS },
    to: { path: '^$1/src/[^/]+/', pathNot: [`^${slices}/index\\.ts$`, '\\.(rpc|job|consumer)\\.ts$', `^(?!${slices}/)`] },
  })
  return [inside, outside, top]
}

const NO_WAY_BACK = [
  rule('no-circle-of-files', 'imports itself by way of', { from: PRODUCT, to: { circular: true } }),
  rule('no-circle-of-folders', 'is built on a folder that is built on it by way of', {
    scope: 'folder',
    from: { path: '^(packages|services)/[^/]+/src(/|$)' },
    to: { circular: true },
  }),
]

/** The folders of a service, each built only on those before it (docs/architecture.md, "Inside a service"). */
export const FOLDERS = {
  auth: [
    'database',
    'web',
    'mail',
    'logins',
    'address-blocks',
    'idempotency',
    'oauth',
    'credentials',
    'accounts',
    'moderation',
    'settings',
    'operator',
  ],
  statuses: ['database', 'audience', 'content', 'views', 'posts', 'people', 'timelines', 'discovery', 'moderation'],
}
const ORDER = Object.entries(FOLDERS).flatMap(([service, folders]) =>
  folders.slice(0, -1).map((folder, index) =>
    rule(`order-of-${service}-${folder}`, `is in ${folder}, which knows nothing of the folders below it in docs/architecture.md`, {
      from: { path: `^services/${service}/src/${folder}/`, pathNot: TESTS },
      to: { path: `^services/${service}/src/(${folders.slice(index + 1).join('|')})/` },
    }),
  ),
)

const LIBRARIES = [
  rule('html-in-markup', 'imports sanitize-html; packages/markup makes HTML', {
    from: { ...PRODUCT, pathNot: [TESTS, '^packages/markup/'] },
    to: { path: library('sanitize-html') },
  }),
  rule('no-missing-dependency', 'imports what its manifest does not name', {
    from: {},
    to: { couldNotResolve: true },
  }),
  rule('no-undeclared-dependency', 'imports what its manifest does not name', {
    from: {},
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  }),
  rule('no-test-dependency', 'imports what its manifest names for tests alone', {
    from: PRODUCT,
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm', 'npm-optional'] },
  }),
]

/** The entry files of processes, scripts and test runs. */
const ENTRIES =
  '^scripts/[^/]+\\.(ts|mjs)$|^[^/]+\\.ts$|/global-setup\\.ts$|^services/[^/]+/src/(main|backup/main|serve|background|whole|migrate)\\.ts$|' +
  '-process\\.ts$|^packages/(cli/src/main|setup/src/(compile|prepare-database|make-secrets))\\.ts$'

/** Scripts for browsers, which processes read as files. */
const SENT = '/src/web/script/[^/]+\\.js$'

/** Every file is used by a process or a script; test packages, and exports of packages, may be used by tests only. */
const USED = [
  rule('used-by-a-process', 'is used by nothing', {
    from: { path: ENTRIES },
    to: { path: '^(packages|services|scripts)/', pathNot: [TESTS, ENTRIES, '/src/index\\.ts$', SENT], reachable: false },
  }),
  rule('used-by-a-test', 'is used by nothing', {
    module: { path: [TESTS, '/src/index\\.ts$'], pathNot: [ENTRIES, '\\.test\\.ts$', '^[^/]+\\.ts$'], numberOfDependentsLessThan: 1 },
    from: {},
  }),
]

/** All import rules for the workspace that is the working directory, where slices are looked up. */
export const importRules = (): ImportRule[] => [
  ...SERVICES,
  ...DOWNHILL,
  ...ADAPTERS,
  ...DOMAIN,
  ...sliceRules(),
  ...NO_WAY_BACK,
  ...ORDER,
  ...LIBRARIES,
  ...USED,
]
