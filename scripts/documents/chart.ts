import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isScalar, type Pair, parseDocument, type Scalar, type YAMLMap } from 'yaml'

const CHART = 'helm/rookery'

type Row = { path: string; fallback: string; describe: string }

const describeOf = (pair: Pair, before: string | null | undefined): string =>
  // Comments above a blank line are about more than this value.
  ((pair.key as Scalar).commentBefore ?? before ?? '')
    .split(/\n\s*\n/)
    .at(-1)!
    .split('\n')
    .map((line) => line.trim())
    .join(' ')

const cell = (text: string) => text.replaceAll('|', '\\|')

const fallbackOf = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text === '""' ? '' : `\`${text}\``
}

/** A group of values gets rows of its own; one that users fill, or that is described as a whole, gets one row. */
const isGroup = (value: unknown): value is YAMLMap => isMap(value) && value.items.length > 0

const rowsOf = (map: YAMLMap, path: string, comments: { before?: string | null | undefined } = {}): Row[] =>
  map.items.flatMap((pair, index) => {
    const name = String((pair.key as Scalar).value)
    const describe = describeOf(pair, index === 0 ? comments.before : undefined)
    const own = path ? `${path}.${name}` : name
    const { value } = pair
    if (!isGroup(value)) return [{ path: own, fallback: fallbackOf(isScalar(value) ? value.value : (value as YAMLMap).toJSON()), describe }]
    const heading = describe ? [{ path: own, fallback: '', describe }] : []
    return [...heading, ...rowsOf(value, own, { before: value.commentBefore })]
  })

const BEGIN = '<!-- values -->'

/** README.md of the chart: the text above the mark, then the values with their comments. */
export const chartDocument = (root: string): string => {
  const readme = readFileSync(join(root, CHART, 'README.md'), 'utf8')
  const document = parseDocument(readFileSync(join(root, CHART, 'values.yaml'), 'utf8'))
  const rows = rowsOf(document.contents as YAMLMap, '')
  const lines = rows.map(({ path, fallback, describe }) => `| \`${path}\` | ${cell(fallback)} | ${cell(describe)} |`)
  const head = readme.split(BEGIN)[0] ?? ''
  const table = ['| Value | Default | What it is |', '|---|---|---|', ...lines]
  return `${head}${BEGIN}\n\n${table.join('\n')}\n\nThe table is generated from values.yaml by \`npm run generate\`.\n`
}
