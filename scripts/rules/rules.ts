import { existsSync, globSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { emitters } from './emitters.ts'
import type { Fault, Rule, Source } from './sources.ts'

/** kind/name/src/slice/rest of a path; slice is empty for files right under src. */
const placeOf = (path: string) => {
  const [, kind = '', name = '', slice = '', rest = ''] = /^(packages|services)\/([^/]+)\/src\/(?:([^/]+)\/)?(.+)$/.exec(path) ?? []
  return kind ? { kind, name, slice, rest } : undefined
}

const isTest = (path: string) => /\.(test|conformance)\.ts$|(^|\/)tests\//.test(path)

/** Code that runs in production: no tests, no scripts. */
const ofProduct = (sources: readonly Source[]) => sources.filter(({ path }) => placeOf(path) && !isTest(path))

const faultsOf = (sources: readonly Source[], why: string, isBroken: (source: Source) => boolean): Fault[] =>
  sources.filter(isBroken).map(({ path }) => ({ path, why }))

/** Law 7: only config.ts reads the environment. */
const environment: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => basename(path) !== 'config.ts'),
    'reads the environment; only config.ts may',
    ({ text }) => /\bprocess\s*(\.|\?\.|\[\s*['"])\s*env\b|\benv\b[^\n]*\bfrom\s*['"](node:)?process['"]/.test(text),
  )

/** Who may import services: the one process that holds them all, and the tests' world around that one. */
const mayImport = (from: { kind: string; name: string }, service: string) =>
  (from.kind === 'services' && (from.name === service || from.name === 'all-in-one')) ||
  (from.name === 'test-world' && service === 'all-in-one')

/** Law 1: services meet in proto/ only. */
const services: Rule = (sources) =>
  ofProduct(sources).flatMap(({ path, imports }) => {
    const from = placeOf(path)!
    const reached = imports.map(({ target }) => /^services\/([^/]+)\//.exec(target ?? '')?.[1])
    return reached
      .filter((service) => service && !mayImport(from, service))
      .map((service) => ({ path, why: `imports the service ${service}` }))
  })

/** What a service's module puts together, which no other slice needs. */
const PART = /\.(rpc|job|consumer)\.ts$/

/** A slice is a folder with an index.ts, its only door for other slices, or with parts. */
const isSlice = (folder: string) => existsSync(join(folder, 'index.ts')) || globSync('*.{rpc,job,consumer}.ts', { cwd: folder }).length > 0

/** Parts are open to the files right under src. */
const isOpen = (fromSlice: string, name: string) => name === 'index.ts' || (fromSlice === '' && PART.test(name))

/** The slice that a file is in: the first folder on its path that is one; a wing is a folder of slices. */
const sliceOf = (path: string, root: string): string => {
  const [, service = '', rest = ''] = /^((?:packages|services)\/[^/]+\/src)\/(.+)$/.exec(path) ?? []
  const folders = rest.split('/').slice(0, -1)
  const found = folders.findIndex((_, index) => isSlice(join(root, service, ...folders.slice(0, index + 1))))
  return found < 0 ? '' : join(service, ...folders.slice(0, found + 1))
}

/** Slices meet through their index.ts. */
const slices: Rule = (sources, root) =>
  ofProduct(sources).flatMap(({ path, imports }) => {
    const [from, place] = [sliceOf(path, root), placeOf(path)!]
    return imports.flatMap(({ target }) => {
      const to = target ? sliceOf(target, root) : ''
      if (!target || to === '' || to === from || !to.startsWith(`${place.kind}/${place.name}/`) || isOpen(place.slice, basename(target)))
        return []
      return [{ path, why: `enters the slice ${basename(to)} behind its index.ts: ${relative(to, target)}` }]
    })
  })

/** The files that lead from a file back to itself, by imports; undefined when none does. */
const circleOf = (start: string, bySource: ReadonlyMap<string, Source>): string[] | undefined => {
  const cameFrom = new Map<string, string>()
  const waiting = [start]
  for (const path of waiting) {
    for (const { target } of bySource.get(path)?.imports ?? []) {
      if (!target || cameFrom.has(target)) continue
      cameFrom.set(target, path)
      if (target !== start) waiting.push(target)
    }
  }
  if (!cameFrom.has(start)) return undefined
  const circle = [start]
  for (let at = cameFrom.get(start)!; at !== start; at = cameFrom.get(at)!) circle.unshift(at)
  return circle
}

/** Nothing is built on what is built on it, types included. */
const circles: Rule = (sources) => {
  const product = ofProduct(sources)
  const bySource = new Map(product.map((source) => [source.path, source]))
  return product.flatMap(({ path }) => {
    const circle = circleOf(path, bySource)
    return circle ? [{ path, why: `imports itself by way of ${circle.join(', ')}` }] : []
  })
}

const SQL = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bpool\.query\(|\bstatement(<[^(]*>)?\(\s*['"`]/

/** SQL of services is in *.store.ts, in the conditions that stores share, and in migrations. */
const sql: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => path.startsWith('services/') && !/\.(store|predicates)\.ts$|\/migrations\//.test(path)),
    'holds SQL; only *.store.ts, *.predicates.ts and migrations may',
    ({ text }) => SQL.test(text),
  )

/** Compares the visibility of a row, in SQL or in code; words of events are no rows. */
const COMPARES_VISIBILITY = /\bvisibility\s*(?:(?:===|!==)(?!\s*['"])|<=|>=|<>|<|>|=\s*\d|in\s*\()/
/** Asks the tables of blocks and mutes; what removes rows does not ask. */
const ASKS_BLOCKS = /(?<!\bdelete\s+)\b(?:from|join)\s+(?:block|mute|thread_mute)\b|\bselectFrom\('(?:block|mute|thread_mute)/
/** Those who keep the rows of blocks and mutes, or list them to the person whose they are. */
const KEEPS_BLOCKS = /\/people\/(graph|portability)\//

/** Who may see a status, and whom blocks and mutes keep apart, is decided by statuses' slice `audience` alone. */
const audience: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => path.startsWith('services/statuses/') && !/\/(audience|migrations)\//.test(path)),
    'decides by visibility, blocks or mutes; only the slice audience may',
    ({ path, text }) => COMPARES_VISIBILITY.test(text) || (ASKS_BLOCKS.test(text) && !KEEPS_BLOCKS.test(path)),
  )

/** A session that waits for ever, or that the server keeps for ever, is made in one way: by hand. */
const sessions: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => !/^packages\/(database|test-stores|test-world|bench)\//.test(path)),
    'opens a session with Postgres by itself; openSession and openPool of packages/database set its deadlines',
    ({ text }) => /\bnew\s+(pg\.)?(Client|Pool)\(/.test(text),
  )

const EMPTY_NAMES = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'base', 'misc'])

/** A name that says nothing. The contracts are named after proto/. */
const names: Rule = (sources) =>
  faultsOf(
    sources.filter(({ path }) => !path.startsWith('packages/contracts/')),
    'has a name that says nothing',
    ({ path }) => path.split(/[/.-]/).some((word) => EMPTY_NAMES.has(word)),
  )

const ENTRIES =
  /^scripts\/[^/]+\.(ts|mjs)$|^services\/[^/]+\/src\/(main|backup\/main|serve|background|migrate)\.ts$|^packages\/(command\/src\/main|setup\/src\/(prepare-database|make-secrets))\.ts$|^[^/]+\.ts$|\/global-setup\.ts$/

const reachedFrom = (entries: readonly string[], bySource: ReadonlyMap<string, Source>): Set<string> => {
  const reached = new Set(entries)
  for (const path of reached) for (const { target } of bySource.get(path)?.imports ?? []) if (target) reached.add(target)
  return reached
}

/** Every file is of use to a process or a script; what is made for tests, and what a package offers, may be of use to a test alone. */
const dead: Rule = (sources) => {
  const bySource = new Map(sources.map((source) => [source.path, source]))
  const entries = sources.map(({ path }) => path).filter((path) => ENTRIES.test(path))
  const product = reachedFrom(entries, bySource)
  const tests = reachedFrom(
    sources.map(({ path }) => path).filter((path) => path.endsWith('.test.ts')),
    bySource,
  )
  const isForTests = (path: string) => isTest(path) || /^packages\/test-/.test(path) || path.endsWith('/src/index.ts')
  return faultsOf(sources, 'is used by nothing', ({ path }) => !product.has(path) && !(isForTests(path) && tests.has(path)))
}

/** Every law that a script can check. */
export const RULES: readonly Rule[] = [environment, services, slices, circles, sql, sessions, emitters(ofProduct), audience, names, dead]
