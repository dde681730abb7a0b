import { describe, expect, test } from 'vitest'
import { MigrationRefused, needsBaseline, planMigration, refuseNewerSchema } from './migration.rules.ts'
import type { MigrationSet } from './migration-set.ts'

const expand = { phase: 'expand', up: async () => {} } as const
const contract = (after: string) => ({ phase: 'contract', after, up: async () => {} }) as const
const set = (steps: Record<string, object>) => ({ name: 'birds', steps }) as unknown as MigrationSet
const ran = (name: string, more: { phase?: 'expand' | 'contract'; after?: string } = {}) =>
  ({ name, phase: more.phase ?? 'expand', after: more.after ?? null }) as Parameters<typeof refuseNewerSchema>[1][number]

describe('a schema is refused', () => {
  const own = set({ '001': expand, '002': expand })
  test.each([
    ['not when it is that of this version', [ran('001'), ran('002')], false],
    ['not when a newer version only added to it', [ran('001'), ran('002'), ran('003')], false],
    ['not when what was taken away is not needed after a step of this version', [ran('003', { phase: 'contract', after: '002' })], false],
    ['when a newer version took away what this one needs', [ran('004', { phase: 'contract', after: '003' })], true],
  ])('%s', (_when, steps, isRefused) => {
    const look = () => refuseNewerSchema(own, steps)
    if (isRefused) expect(look).toThrow(MigrationRefused)
    else expect(look).not.toThrow()
  })

  test('with the step that is missing, and what to start', () => {
    const look = () => refuseNewerSchema(own, [ran('004', { phase: 'contract', after: '003' })])
    expect(look).toThrow(
      /newer version, .*\(004\)\. Start the newer version again: .* has the step 003\. To go back further, restore a backup/,
    )
  })
})

describe('the baseline creates a schema', () => {
  const based = { ...set({ '003': expand }), baseline: { replaces: ['001', '002'] } } as unknown as MigrationSet
  test.each([
    ['when nothing ran', based, [], true],
    ['not when all that it replaces ran', based, [ran('001'), ran('002')], false],
    ['not when later steps ran too', based, [ran('001'), ran('002'), ran('003')], false],
    ['not where there is none', set({ '001': expand }), [], false],
    ['not where it replaces nothing', { ...based, baseline: { replaces: [] } } as unknown as MigrationSet, [], false],
  ])('%s', (_when, of, steps, expected) => expect(needsBaseline(of, steps)).toBe(expected))

  test('never over a schema that is too old: the operator starts an older version first', () => {
    const look = () => needsBaseline(based, [ran('001')])
    expect(look).toThrow(MigrationRefused)
    expect(look).toThrow(
      /too old for this version, which no longer has the step 002\. Start first a version that has the step 002, and then/,
    )
  })
})

describe('a plan', () => {
  const steps = set({ '001': expand, '002': expand, '003': contract('002') })
  const jump = set({ '001': expand, '002': contract('001'), '003': expand })
  const old = { knows: ['000'], seconds: 5 } as never
  const current = { knows: ['001', '002'], seconds: 5 } as never
  const plan = (of: MigrationSet, phase: 'expand' | 'contract' | 'start', done: string[], running: never[]) => {
    const { run, left } = planMigration(of, { phase, ran: done.map((name) => ran(name)), running })
    return [run.map(({ name }) => name), left]
  }

  test.each([
    ['at a start no one is in the way of', plan(steps, 'start', [], []), [['001', '002', '003'], []]],
    ['in the order of the names', plan(set({ '002': expand, '001': expand }), 'start', [], []), [['001', '002'], []]],
    ['before new code runs', plan(steps, 'expand', [], []), [['001', '002'], ['003']]],
    ['after new code runs', plan(steps, 'contract', ['001', '002'], [current]), [['003'], []]],
    ['while old code runs', plan(steps, 'contract', ['001', '002'], [old]), [[], ['003']]],
    ['of a schema that is up to date', plan(steps, 'start', ['001', '002', '003'], []), [[], []]],
    ['of a contract step before an expand step', plan(jump, 'expand', ['001'], [current]), [['002', '003'], []]],
  ])('%s', (_when, made, expected) => expect(made).toEqual(expected))

  test('is refused when old code needs what goes before what new code needs', () => {
    expect(() => plan(jump, 'expand', ['001'], [old])).toThrow('This version cannot follow upon the one that runs')
  })
})
