import { describe, expect, test } from 'vitest'
import { MigrationRefused, planMigration, refuseNewerSchema } from './migration.rules.ts'
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
