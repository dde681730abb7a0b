import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { idsWithoutSpread, type NamedStatement, openDatabase, PLANNING } from '@rookery/database'
import { PROGRAM_ENVIRONMENT } from '@rookery/test-stores'
import {
  type Catalog,
  type Estimate,
  estimateOf,
  giveEachTableAPage,
  growthOf,
  judgePlan,
  type PlanNode,
  readCatalog,
  recordStatements,
  type SentStatement,
  setStatistics,
  withPageLimits,
} from '@rookery/test-stores/plans'
import { World } from '@rookery/test-world'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALLOWED, exceptionOf, growthExceptionOf, unusedExceptions } from './plan-exceptions.ts'
import { act, UNANSWERED, visitEveryEndpoint } from './tour.ts'

// Plans every statement with small and large tables, and rare and common values: whatever Postgres assumes about the data, it must not
// read, sort or hash a growing table.

const SERVICES = ['auth', 'statuses', 'media', 'notifications', 'federation'] as const
type Service = (typeof SERVICES)[number]

const SIZES = [1e3, 5e4, 1e6, 1e8, 1e10]
/** From ids that are mostly unique, as of boosts, to a few people who wrote everything. */
const SPREADS = [
  ...[2, 8, 50, 1000, 1e5].map((rowsPerValue) => ({
    name: `values of ${rowsPerValue} rows`,
    rowsPerValue,
    isFor: (size: number) => rowsPerValue <= size / 10,
  })),
  ...[2, 5, 20, 200, 5000].map((values) => ({ name: `${values} values in all`, values, isFor: (size: number) => values <= size / 10 })),
]

/** Statements before a service has a schema, and of other libraries, are not checked. */
const isOurs = ({ text }: SentStatement) =>
  /^\s*(select|insert|update|delete|with)\b/i.test(text) && !/_migration|running_code|current_schema|\bpg_|_jobs\b|\b_private_/.test(text)

const PRINT_NAMED = `
  import { namedStatements } from '@rookery/database'
  import '../src/index.ts'
  process.stdout.write(JSON.stringify(namedStatements()))`
/** Read in a process that loads only the product: in this one, tests of packages may have declared statements on their own tables. */
const readNamed = async (): Promise<NamedStatement[]> => {
  const options = { cwd: import.meta.dirname, env: PROGRAM_ENVIRONMENT, maxBuffer: 32 * 1024 * 1024 }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PRINT_NAMED], options)
  return JSON.parse(stdout)
}
const named = await readNamed()

let world: World
let unanswered: readonly string[]
const statements = new Map<Service, SentStatement[]>()
const clients: pg.Client[] = []
const plannersOf = new Map<Service, { administrator: pg.Client; generic: pg.Client; custom: pg.Client; catalog: Catalog }>()

const urlOf = (role: string) => {
  const url = new URL(world.databaseUrl)
  url.username = role
  return url
}

const connect = async (role: string, service: string, settings: Readonly<Record<string, string>>) => {
  const url = urlOf(role)
  const options = Object.entries({ ...settings, search_path: service }).map(([name, value]) => `-c ${name}=${value}`)
  const client = new pg.Client({ connectionString: url.href, options: options.join(' ') })
  await client.connect()
  clients.push(client)
  return client
}

/** SQLSTATEs for an unknown table, or another service's table of that name without such a column. */
const NOT_THEIRS = ['42P01', '42703']

/** The service whose tables an unsent statement uses. @throws if there is none */
const ownerOf = async (text: string): Promise<Service> => {
  for (const service of SERVICES) {
    try {
      await plannersOf.get(service)!.generic.query(`explain (generic_plan) ${text}`)
      return service
    } catch (error) {
      if (!NOT_THEIRS.includes((error as { code?: string }).code ?? '')) throw error
    }
  }
  throw new Error(`No service has the tables of: ${text}`)
}

beforeAll(async () => {
  world = await World.open()
  const recorded = recordStatements()
  const cast = { world, ...(await world.cast('owner', 'other', 'friend')), staff: await world.owner('staff') }
  for (const person of [cast.owner, cast.other]) await person.follows(cast.friend)
  unanswered = await visitEveryEndpoint(cast)
  await cast.owner.follows(cast.friend)
  await act(cast)
  recorded.stop()
  const sent = recorded.statements().filter(isOurs)
  for (const service of SERVICES) {
    statements.set(
      service,
      sent.filter(({ role }) => role === service),
    )
    const administrator = await connect('postgres', service, {})
    const catalog = await readCatalog(administrator)
    await giveEachTableAPage(administrator)
    const generic = await connect(service, service, PLANNING)
    const custom = await connect(service, service, { ...PLANNING, plan_cache_mode: 'force_custom_plan' })
    plannersOf.set(service, { administrator, generic, custom, catalog })
  }
  const known = new Set(sent.map(({ text }) => text))
  for (const { name, text } of named) {
    if (known.has(text)) continue
    const role = await ownerOf(text)
    statements.get(role)!.push({ role, name, text, values: [] })
  }
}, 1_240_000)
afterAll(async () => {
  for (const client of clients) await client.end()
  await world.close()
})

test('Postgres plans as if each id stood in some rows, whatever it finds', async () => {
  for (const service of SERVICES) {
    const database = openDatabase({ url: urlOf(service).href })
    const missing = await idsWithoutSpread(database.db)
    await database.close()
    expect({ service, missing }, 'a step for what is new: spreadOfIds').toEqual({ service, missing: [] })
  }
})

test('every endpoint was asked for', () => expect(unanswered.toSorted()).toEqual(UNANSWERED))

const names = new Map(named.map(({ name, text }) => [text, name]))

/** A prepared statement's name, or the beginning of a text. */
const labelOf = ({ text }: SentStatement) => names.get(text) ?? text.replaceAll(/\s+/g, ' ').trim().slice(0, 160)

const plan = async (client: pg.Client, kind: 'generic_plan, ' | '', { text, values }: SentStatement): Promise<PlanNode> => {
  const query = `explain (${kind}verbose, format json) ${text}`
  const { rows } = await client.query(kind ? query : { text: query, values: [...values] })
  return rows[0]['QUERY PLAN'][0].Plan
}

/** The faults of a service's statements, without exceptions. */
const faultsOf = async (service: Service) => {
  const { generic, custom, catalog } = plannersOf.get(service)!
  const faults: string[] = []
  for (const statement of statements.get(service)!) {
    const label = labelOf(statement)
    const plans = [await plan(generic, 'generic_plan, ', statement)]
    if (statement.values.length > 0) plans.push(await plan(custom, '', statement))
    const found = new Set(plans.flatMap((each) => judgePlan(each, catalog, ALLOWED)))
    if (found.size > 0 && !exceptionOf(`${service} ${label}`))
      faults.push(...[...found].map((fault) => `${service} ${label}\n    ${fault}`))
  }
  return faults
}

for (const { name, isFor, ...spread } of SPREADS) {
  for (const size of SIZES.filter(isFor)) {
    test(`tables of ${size.toLocaleString('en')} rows with ${name} are read by indexes, as far as a page needs`, async () => {
      const faults: string[] = []
      for (const service of SERVICES) {
        await setStatistics(plannersOf.get(service)!.administrator, size, spread)
        faults.push(...(await faultsOf(service)))
      }
      expect(faults).toEqual([])
    })
  }
}

/** The estimates of a service's statements for tables of a size. */
const estimatesOf = async (service: Service, size: number): Promise<Estimate[]> => {
  const { administrator, generic } = plannersOf.get(service)!
  await setStatistics(administrator, size, { rowsPerValue: 50 }, ALLOWED.tables)
  const estimates: Estimate[] = []
  for (const statement of statements.get(service)!) {
    const text = withPageLimits(statement.text)
    estimates.push(estimateOf(await plan(generic, 'generic_plan, ', { ...statement, text })))
  }
  return estimates
}

test('no statement is estimated to read more of 100 million rows than of one million', async () => {
  const faults: string[] = []
  for (const service of SERVICES) {
    const small = await estimatesOf(service, 1e6)
    const large = await estimatesOf(service, 1e8)
    for (const [index, statement] of statements.get(service)!.entries()) {
      const label = `${service} ${labelOf(statement)}`
      const growth = growthOf(small[index]!, large[index]!)
      if (growth && !growthExceptionOf(label)) faults.push(`${label}\n    ${growth}`)
    }
  }
  expect(faults).toEqual([])
})

test('every exception is of a statement that needs it', () => expect(unusedExceptions()).toEqual([]))
