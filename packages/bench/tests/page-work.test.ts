import { PLANNING } from '@rookery/database'
import { type PlanNode, recordStatements, type SentStatement } from '@rookery/test-stores/plans'
import { ask, World } from '@rookery/test-world'
import pg from 'pg'
import { beforeAll, expect, test, vi } from 'vitest'
import { requestsOf } from '../src/requests.ts'
import { seed } from '../src/seed.ts'
import type { Sizes } from '../src/sizes.ts'
import { GROWS, MAX_ROWS, MAX_STATEMENTS } from './page-work.ts'

// The counted work of pages: statements, the rows that they read, and the blocks that they access. Unlike times, these do not depend on
// other load of the machine. `PRINT_WORK=1 npm test -- page-work` prints them.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const SMALL: Sizes = { people: 300, follows: 5, statuses: 3000, tagged: 1000, homes: 300, fans: 100, readers: 0 }
const LARGE: Sizes = { ...SMALL, people: 3000, statuses: 50_000, tagged: 16_000, fans: 2000 }
/** How much more a larger server may read: an index has one level more. */
const GROWTH = { rows: 1.2, blocks: 1.6 }
const SLACK = { rows: 20, blocks: 40 }

type Work = { statements: number; rows: number; blocks: number }
type Counted = PlanNode &
  Partial<Record<`${'Actual' | 'Shared'} ${string}` | 'Rows Removed by Filter' | 'Rows Removed by Index Recheck', number>>

/** Rows that the scans of a plan read, those removed by filters included. */
const rowsRead = (node: Counted): number => {
  const { 'Actual Rows': rows = 0, 'Actual Loops': loops = 1 } = node
  const left = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const own = /^(Seq|Index|Index Only|Bitmap Heap) Scan$/.test(node['Node Type']) ? (rows + left) * loops : 0
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own)
}

const textOf = (value: unknown): string => {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  if (value instanceof Date) return value.toISOString()
  if (!Array.isArray(value)) return String(value)
  return `{${value.map((each) => (each === null ? 'null' : `"${textOf(each).replaceAll(/[\\"]/g, '\\$&')}"`)).join(',')}}`
}
const literalOf = (value: unknown) => (value === null || value === undefined ? 'null' : pg.escapeLiteral(textOf(value)))

/**
 * Marks all pages as visible to everyone. Otherwise index-only scans also look rows up in the table; and a statement that runs beside the
 * vacuum, such as an autovacuum's, prevents the marking.
 */
const vacuum = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (let isMarked = false; !isMarked; ) {
      await client.query('vacuum')
      const { rows } = await client.query(
        `select count(*)::int unmarked from pg_class where relkind = 'r' and relnamespace::regnamespace::text !~ '^pg_' and relallvisible < relpages`,
      )
      isMarked = rows[0].unmarked === 0
    }
  } finally {
    await client.end()
  }
}

/** A server of a size, with sessions that plan like the product's. */
const open = async (sizes: Sizes) => {
  const world = await World.open({ isOnlyWriter: false })
  await seed(world.databaseUrl, sizes)
  await vacuum(world.databaseUrl)
  const sessions = new Map<string, pg.Client>()
  const session = async (role: string) => {
    const known = sessions.get(role)
    if (known) return known
    const url = new URL(world.databaseUrl)
    url.username = role
    const options = Object.entries({ ...PLANNING, search_path: role }).map(([name, value]) => `-c ${name}=${value}`)
    const client = new pg.Client({ connectionString: url.href, options: options.join(' ') })
    sessions.set(role, client)
    await client.connect()
    return client
  }
  return {
    world,
    session,
    close: async () => {
      for (const client of sessions.values()) await client.end()
      await world.close()
    },
  }
}
type Server = Awaited<ReturnType<typeof open>>

/** The work of a statement that is planned without its values, as in the product. */
const workOf = async (client: pg.Client, { text, values }: SentStatement): Promise<Omit<Work, 'statements'>> => {
  await client.query(`prepare counted as ${text}`)
  const execute = `execute counted${values.length ? `(${values.map(literalOf).join(', ')})` : ''}`
  const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${execute}`)
  await client.query('deallocate counted')
  const root: Counted = rows[0]['QUERY PLAN'][0].Plan
  return { rows: Math.round(rowsRead(root)), blocks: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0) }
}

const isOfPages = ({ role, text }: SentStatement) =>
  /^\s*(select|with)\b/i.test(text) && role !== 'postgres' && !/_jobs\b|_private_|outbox/.test(text)

/** The cost of each page of the benchmark on a warm server. */
const measure = async ({ world, session }: Server, sizes: Sizes): Promise<Record<string, Work>> => {
  const measured: Record<string, Work> = {}
  for (const [page, { path, method = 'GET', tokens = [] }] of Object.entries(requestsOf(sizes))) {
    if (method !== 'GET') continue
    const read = () => ask(world.origin, 'GET', [path].flat()[0]!, { ...(tokens[0] && { token: tokens[0] }) })
    await read()
    await read()
    const recorded = recordStatements({ isEachTime: true })
    const answer = await read()
    recorded.stop()
    expect([page, answer.status]).toEqual([page, 200])
    const work: Work = { statements: world.lastRequest.statements, rows: 0, blocks: 0 }
    for (const statement of recorded.statements().filter(isOfPages)) {
      const { rows, blocks } = await workOf(await session(statement.role), statement)
      work.rows += rows
      work.blocks += blocks
    }
    measured[page] = work
  }
  return measured
}

let small: Record<string, Work>
let large: Record<string, Work>
beforeAll(async () => {
  const servers = []
  try {
    for (const sizes of [SMALL, LARGE]) {
      const server = await open(sizes)
      servers.push(server)
      if (sizes === SMALL) small = await measure(server, sizes)
      else large = await measure(server, sizes)
    }
  } finally {
    for (const server of servers) await server.close()
  }
  if (process.env['PRINT_WORK']) console.log(JSON.stringify({ small, large }, undefined, 1))
})

/** Pages that exceed what is allowed. */
const pagesWhere = (fault: (page: string, work: Work) => string | undefined): string[] =>
  Object.entries(large).flatMap(([page, work]) => {
    const found = fault(page, work)
    return found ? [`${page}: ${found}`] : []
  })

test('no page sends more statements than are written down', () => {
  const most = (page: string) => MAX_STATEMENTS[page] ?? MAX_STATEMENTS['others']!
  const found = pagesWhere((page, { statements }) => (statements > most(page) ? `${statements}, not ${most(page)}` : undefined))
  expect(found).toEqual([])
})

test('no page reads more rows than are written down', () => {
  const most = (page: string) => MAX_ROWS[page] ?? MAX_ROWS['others']!
  const found = pagesWhere((page, { rows }) => (rows > most(page) ? `${rows}, not ${most(page)}` : undefined))
  expect(found).toEqual([])
})

test('no page reads more where there are ten times as many people and sixteen times as many statuses, but for those that may', () => {
  const found = pagesWhere((page, { rows, blocks }) => {
    if (page in GROWS) return undefined
    const before = small[page]!
    if (rows > before.rows * GROWTH.rows + SLACK.rows) return `${rows} rows, not ${before.rows}`
    return blocks > before.blocks * GROWTH.blocks + SLACK.blocks ? `${blocks} blocks, not ${before.blocks}` : undefined
  })
  expect(found).toEqual([])
})

test('every page that is written down is measured', () => {
  const named = [MAX_STATEMENTS, MAX_ROWS, GROWS].flatMap((list) => Object.keys(list))
  expect(named.filter((page) => page !== 'others' && !(page in large))).toEqual([])
})
