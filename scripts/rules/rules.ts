import { basename } from 'node:path'
import { emitters } from './emitters.ts'
import { type Fault, ofProduct, type Rule, type Source } from './sources.ts'

const faultsOf = (sources: readonly Source[], why: string, isBroken: (source: Source) => boolean): Fault[] =>
  sources.filter(isBroken).map(({ path }) => ({ path, why }))

/** Law 7: only config.ts reads the environment. */
const environment: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => basename(path) !== 'config.ts'),
    'reads the environment; only config.ts may',
    ({ text }) => /\bprocess\s*(\.|\?\.|\[\s*['"])\s*env\b|\benv\b[^\n]*\bfrom\s*['"](node:)?process['"]/.test(text),
  )

const SQL =
  /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bpool\.query\(|\b(?:prepared|preparedPage|skeletonStatement|sharedQuery)(<[^(]*>)?\(\s*['"`]/

/** SQL of services is in *.store.ts, *.predicates.ts and migrations. */
const sql: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => path.startsWith('services/') && !/\.(store|predicates)\.ts$|\/migrations\//.test(path)),
    'holds SQL; only *.store.ts, *.predicates.ts and migrations may',
    ({ text }) => SQL.test(text),
  )

/** Compares the visibility of a row, in SQL or in code; the names in events do not count. */
const COMPARES_VISIBILITY = /\bvisibility\s*(?:(?:===|!==)(?!\s*['"])|<=|>=|<>|<|>|=\s*\d|in\s*\()/
/** Queries the tables of blocks and mutes; deleting rows does not count. */
const ASKS_BLOCKS =
  /(?<!\bdelete\s+)\b(?:from|join)\s+(?:block|mute|thread_mute|domain_block)\b|\bselectFrom\('(?:block|mute|thread_mute|threadMute|domainBlock)/
/** Slices that maintain blocks and mutes, or list them to their owner. */
const KEEPS_BLOCKS = /\/people\/(graph|data-export|domain-blocks)\//
/** Excludes silenced or suspended accounts. */
const LEAVES_OUT = /\bnot\s+(?:\w+\.)?is_(?:silenced|suspended)\b|\bis_silenced or is_suspended\b/
/** Staff list accounts by these states. */
const LISTS_FOR_STAFF = /\/moderation\//

/**
 * Visibility of statuses, and the effects of blocks, mutes, silence and suspension, are decided only in the slice `audience` of statuses.
 */
const audience: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => path.startsWith('services/statuses/') && !/\/(audience|migrations)\//.test(path)),
    'decides by visibility, blocks, mutes, silence or suspension; only the slice audience may',
    ({ path, text }) =>
      COMPARES_VISIBILITY.test(text) ||
      (ASKS_BLOCKS.test(text) && !KEEPS_BLOCKS.test(path)) ||
      (LEAVES_OUT.test(text) && !LISTS_FOR_STAFF.test(path)),
  )

/** Sessions are opened only by packages/database: others would wait forever, or be kept forever by the server. */
const sessions: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => !/^packages\/(database|test-stores|test-world|bench)\//.test(path)),
    'opens a session with Postgres by itself; openSession and openPool of packages/database set its deadlines',
    ({ text }) => /\bnew\s+(pg\.)?(Client|Pool)\(/.test(text),
  )

/** Rules are pure: they get everything as arguments. */
const pure: Rule = (sources) =>
  faultsOf(
    ofProduct(sources).filter(({ path }) => path.endsWith('.rules.ts')),
    'awaits; rules decide by what they are given',
    ({ text }) => /\b(await|async)\b|\bPromise\b/.test(text),
  )

/** Rules have table tests beside them. */
const tested: Rule = (sources) => {
  const paths = new Set(sources.map(({ path }) => path))
  return faultsOf(
    ofProduct(sources),
    'has no *.rules.test.ts beside it',
    ({ path }) => path.endsWith('.rules.ts') && !paths.has(path.replace(/\.ts$/, '.test.ts')),
  )
}

const EMPTY_NAMES = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'manager', 'base', 'misc'])

/** Names without meaning. The contracts are named after proto/. */
const names: Rule = (sources) =>
  faultsOf(
    sources.filter(({ path }) => !path.startsWith('packages/contracts/')),
    'has a name that says nothing',
    ({ path }) => path.split(/[/.-]/).some((word) => EMPTY_NAMES.has(word)),
  )

/** All rules about texts, which imports cannot show. */
export const RULES: readonly Rule[] = [environment, sql, sessions, emitters, audience, pure, tested, names]
