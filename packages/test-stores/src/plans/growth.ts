import type { PlanNode } from './judge.ts'

/** What Postgres believes a statement does: its estimate of the work, and of the rows of each node. */
export type Estimate = { cost: number; rows: ReadonlyMap<string, number> }

const nameOf = (node: PlanNode) => `${node['Node Type']} ${node['Index Name'] ?? node['Relation Name'] ?? node['CTE Name'] ?? ''}`.trim()

/**
 * What a plan is estimated to read. The cost of the whole stands for it: it counts rows that a filter leaves out, and not those that a limit leaves
 * unread. Where statistics give every table one page, it is made of rows alone.
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
 * A statement whose limits the planner knows: of those that are values it takes a tenth of all rows for wanted. The values stay in the text, where nothing
 * reads them.
 */
export const withPageLimits = (text: string): string =>
  text.replaceAll(/\blimit (\$\d+)(?!\d)(::\w+)?/g, (_, value) => `limit case when true then ${PAGE} else ${value}::int end`)

/** A table a hundred times as large adds a level to an index, and no rows. */
const MAX_GROWTH = 2
/** Below this a statement reads some hundred rows, whatever it is a multiple of. */
const SMALL_COST = 20

/** Says how far the estimate grew with the tables, and of which nodes; undefined when it did not. */
export const growthOf = (small: Estimate, large: Estimate): string | undefined => {
  if (large.cost <= Math.max(small.cost, SMALL_COST) * MAX_GROWTH) return undefined
  const grown = [...large.rows].filter(([name, rows]) => rows > 100 && rows > (small.rows.get(name) ?? rows) * MAX_GROWTH)
  const nodes = grown.map(([name, rows]) => `${name} ${small.rows.get(name)} → ${rows} rows`)
  return `the estimate grows from ${small.cost} to ${large.cost}: ${nodes.join(', ')}`
}
