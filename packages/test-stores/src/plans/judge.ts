import type { Catalog, Index } from './catalog.ts'

/** The fields used of a node of `explain (verbose, format json)`. */
export type PlanNode = {
  'Node Type': string
  'Total Cost': number
  'Plan Rows': number
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Subplan Name'?: string
  'Parent Relationship'?: string
  'CTE Name'?: string
  Strategy?: string
  Plans?: PlanNode[]
}

/** What a plan may read entirely. */
export type Allowed = {
  /** Small tables. */
  tables: ReadonlySet<string>
  /** `table.column`: columns with few rows per value, because of the product's own limits. */
  groups: ReadonlySet<string>
}

/** The scans of a subtree that may read more rows than the product ever needs at once. */
type Unbounded = readonly string[]

const BLOCKING = new Set(['Sort', 'Incremental Sort', 'Hash', 'Materialize', 'Memoize', 'WindowAgg', 'SetOp', 'ModifyTable'])
const withoutAliases = (condition: string) => condition.replaceAll(/\b[a-z_0-9]+\.(?=[a-z_])/g, '')
const isEqual = (condition: string, column: string) => condition.includes(`(${column} = `)

/**
 * The faults of a plan, whatever the statistics it was made with: a growing table that is read entirely; and one of which more rows are
 * read than unique keys or a limit allow, and which is then sorted, hashed, counted or changed.
 */
export const judgePlan = (root: PlanNode, catalog: Catalog, allowed: Allowed): string[] => {
  const faults: string[] = []
  const ctes = new Map<string, Unbounded>()
  const stopsAtFirst = new Set([...JSON.stringify(root).matchAll(/EXISTS\((SubPlan \d+)\)/g)].map(([, name]) => name))

  const indexScan = (node: PlanNode): Unbounded => {
    const index: Index = catalog.indexes.get(node['Index Name']!)!
    if (allowed.tables.has(index.table)) return []
    const condition = withoutAliases(node['Index Cond'] ?? '')
    const ofTable = [...catalog.indexes.values()].filter(({ table }) => table === index.table)
    const firstOther = index.columns.findIndex((column) => !isEqual(condition, column))
    const equal = firstOther < 0 ? index.columns : index.columns.slice(0, firstOther)
    if (ofTable.some(({ isUnique, columns }) => isUnique && columns.every((column) => equal.includes(column)))) return []
    if (equal.some((column) => allowed.groups.has(`${index.table}.${column}`))) return []
    const filter = withoutAliases(node.Filter ?? '')
    const better = ofTable.find(({ columns }) => isEqual(filter, columns[0]!))
    if (better && equal.length === 0) faults.push(`${index.name} is read where ${better.name} leads to the rows`)
    else if (!condition && filter) faults.push(`${index.name} is read from its beginning for ${filter}`)
    return [`${index.name} by ${condition || 'nothing'}`]
  }

  const scan = (node: PlanNode, below: Unbounded): Unbounded => {
    const table = node['Relation Name']
    switch (node['Node Type']) {
      case 'Seq Scan':
      case 'Sample Scan':
        if (allowed.tables.has(table!)) return []
        faults.push(`a sequential scan of ${table}`)
        return []
      case 'Index Scan':
      case 'Index Only Scan':
      case 'Bitmap Index Scan':
        return indexScan(node)
      case 'CTE Scan':
        return ctes.get(node['CTE Name']!) ?? []
      default:
        return below
    }
  }

  const walk = (node: PlanNode): Unbounded => {
    const below = (node.Plans ?? []).flatMap((child) => {
      const unbounded = walk(child)
      const name = child['Subplan Name']
      if (!name) return unbounded
      if (name.startsWith('CTE ')) ctes.set(name.slice(4), unbounded)
      else if (unbounded.length > 0 && !stopsAtFirst.has(name)) faults.push(`${name} reads ${unbounded.join(', ')}`)
      return []
    })
    const unbounded = scan(node, below)
    const type = node['Node Type']
    if (type === 'Limit') return []
    const isBlocking = BLOCKING.has(type) || (type === 'Aggregate' && node.Strategy !== 'Sorted')
    if (!isBlocking || unbounded.length === 0) return unbounded
    faults.push(`${type} of ${unbounded.join(', ')}`)
    return []
  }

  const unbounded = walk(root)
  if (unbounded.length > 0) faults.push(`reads ${unbounded.join(', ')}`)
  return [...new Set(faults)]
}
