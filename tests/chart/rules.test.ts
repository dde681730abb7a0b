import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from './declared.ts'
import { CHART, type Json } from './render.ts'
import { named, run, whyNo } from './tools.ts'

const noPromtool = whyNo('promtool')
const RULES = join(CHART, 'files/rules.yaml')
const rules = (parse(readFileSync(RULES, 'utf8')) as Json).groups.flatMap(({ rules }: Json) => rules) as Json[]
const alerts = rules.filter(({ alert }) => alert)

/** Names of metrics, as the sources write them. */
const reported = new Set(
  globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts'], { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(/\brookery_[a-z_]+[a-z]/g) ?? []),
)
const namesIn = (expression: string) =>
  [...expression.matchAll(/\brookery_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))
const isNotified = (name: string) => reported.has(name) || /^rookery_jobs_(due|retrying|exhausted)$/.test(name)

describe.skipIf(noPromtool)(named('the rules', noPromtool), () => {
  it('are valid', () => {
    const { isWell, complaint } = run('promtool', ['check', 'rules', RULES])
    expect(complaint).toBe('')
    expect(isWell).toBe(true)
  })

  it('rise when they should and not before', () => {
    const { isWell, output, complaint } = run('promtool', ['test', 'rules', join(CHART, 'tests/rules.yaml')])
    expect(output + complaint).toContain('SUCCESS')
    expect(isWell).toBe(true)
  })
})

describe('alerts', () => {
  it.each(alerts.map((each) => [each.alert as string, each] as const))(
    'name a section of the operator’s pages: %s',
    (name, { annotations }) => {
      const [path, anchor] = annotations.runbook.split('#')
      const headings = readFileSync(join(ROOT, path), 'utf8').match(/^## .+$/gm) ?? []
      expect(headings.map((heading) => heading.slice(3).toLowerCase())).toContain(anchor)
      expect(anchor).toBe(name.toLowerCase())
    },
  )

  it.each(rules.map((each) => [(each.alert ?? each.record) as string, each] as const))(
    'and rules query existing metrics: %s',
    (_, { expr }) => {
      expect(namesIn(expr).filter((name) => !isNotified(name))).toEqual([])
    },
  )

  it('each have a test of their own', () => {
    const tested = (parse(readFileSync(join(CHART, 'tests/rules.yaml'), 'utf8')) as Json).tests.flatMap(({ alert_rule_test = [] }: Json) =>
      alert_rule_test.filter((each: Json) => each.exp_alerts?.length > 0).map((each: Json) => each.alertname),
    )
    expect(new Set(alerts.map(({ alert }) => alert))).toEqual(new Set(tested))
  })
})

describe('dashboards', () => {
  const files = globSync('files/dashboards/*.json', { cwd: CHART })
  const records = new Set(rules.flatMap(({ record }) => record ?? []))

  it.each(files)('show existing metrics: %s', (file) => {
    const { panels } = JSON.parse(readFileSync(join(CHART, file), 'utf8')) as Json
    const expressions: string[] = panels.flatMap(({ targets }: Json) => targets.map(({ expr }: Json) => expr))
    expect(expressions.flatMap(namesIn).filter((name) => !isNotified(name))).toEqual([])
    for (const [name] of expressions.flatMap((each) => [...each.matchAll(/\brookery:[\w:]+/g)])) expect(records).toContain(name)
    expect(new Set(panels.map(({ id }: Json) => id)).size).toBe(panels.length)
  })
})
