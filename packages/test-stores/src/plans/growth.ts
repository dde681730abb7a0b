import type { PlanNode } from './judge.ts'

/** Postgres's estimate for a statement: its cost, and the rows of each node. */
export type Estimate = { cost: number; rows: ReadonlyMap<string, number> }

const nameOf = (node: PlanNode) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? node['CTE Name'] ?? ''}`.trim()

/**
 * The estimate of a plan. The total cost stands for the rows read: it includes rows that a filter removes, and not those that a limit
 * leaves unread. With statistics that give every table one page, it depends on rows alone.
 */
export const estimateOf = (root: PlanNode): Estimate => {
  const rows = new Map<string, number>()
  const walk = (node: PlanNode): void => {
    rows.set(nameOf(node), Math.max(rows.get(nameOf(node)) ?? 0, node['Plan Rows']))
    for (const child of node.Plans ?? []) walk(child)
  }
  walk(root)
  return { cost: root['Total Cost'], rows }
}

/** Rows of a page. */
const PAGE = 40

/**
 * Makes the limits of a statement known to the planner: of a limit that is a parameter it assumes a tenth of all rows. The parameters stay
 * in the text, unused.
 */
export const withPageLimits = (text: string): string =>
  text.replaceAll(/\blimit (\$\d+)(?!\d)(::\w+)?/g, (_, value) => `limit case when true then ${PAGE} else ${value}::int end`)

/** Maximum growth: a table a hundred times as large adds a level to an index, but no rows. */
const MAX_GROWTH = 2
/** Below this cost a statement reads some hundred rows, whatever the factor. */
const SMALL_COST = 20

/** Describes how the estimate grew with the tables, and at which nodes; undefined if it did not. */
export const growthOf = (small: Estimate, large: Estimate): string | undefined => {
  if (large.cost <= Math.max(small.cost, SMALL_COST) * MAX_GROWTH) return undefined
  const grown = [...large.rows].filter(([name, rows]) => rows > 100 && rows > (small.rows.get(name) ?? rows) * MAX_GROWTH)
  const nodes = grown.map(([name, rows]) => `${name} ${small.rows.get(name)} → ${rows} rows`)
  return `the estimate grows from ${small.cost} to ${large.cost}: ${nodes.join(', ')}`
}
