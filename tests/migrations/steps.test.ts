import { startTestPostgres } from '@rookery/test-stores'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  knownSteps,
  type MigrationSet,
  type MigrationStep,
  migrate,
  openDatabase,
  prepareDatabase,
} from '../../packages/database/src/index.ts'
import { eventMigrations } from '../../packages/events/src/index.ts'
import { DECLARED } from '../chart/declared.ts'
import { faultsOf, madeTable } from './statement.rules.ts'

const SETS = [
  ['events', 'auth', eventMigrations] as const,
  ...Object.entries(DECLARED).flatMap(([name, { schema }]) => (schema ? [[name, name, schema.migrations] as const] : [])),
]

/** The statements of each step, as they reach the database. */
const statementsOf = async (role: string, set: MigrationSet) => {
  const own = await startTestPostgres().createDatabase()
  await prepareDatabase(own.url('postgres'), [{ name: role }])
  const statements = new Map<string, string[]>()
  let current: string[] = []
  const database = openDatabase({ url: own.url(role), onStatement: (text) => void current.push(text) })
  onTestFinished(async () => {
    await database.close()
    await own.drop()
  })
  const watched = ([name, step]: [string, MigrationStep]) => {
    const up: MigrationStep['up'] = async (db) => {
      current = []
      await step.up(db)
      statements.set(name, current)
      current = []
    }
    return [name, { ...step, up }]
  }
  await migrate(database.db, { ...set, steps: Object.fromEntries(Object.entries(set.steps).map(watched)) })
  return statements
}

const faultsOfStep = (step: MigrationStep, statements: readonly string[]) => {
  const ownTables = new Set(statements.flatMap((text) => madeTable(text) ?? []))
  const seen = { phase: step.phase, isTransactional: step.isTransactional ?? true, ownTables }
  return statements.flatMap((text) => faultsOf(text, seen))
}

describe('the steps of every schema', () => {
  it.each(SETS)('of %s may run beside the version before', async (name, role, set) => {
    const statements = await statementsOf(role, set)
    const faults = Object.entries(set.steps).map(([step, it]) => [`${name} ${step}`, faultsOfStep(it, statements.get(step) ?? [])] as const)
    expect(faults.filter(([, its]) => its.length > 0)).toEqual([])
  })

  it.each(SETS)('of %s come in the order of their numbers, and what they take away was given up by an earlier one', (_, __, set) => {
    const { baseline, steps } = set
    const names = [...(baseline?.replaces ?? []), ...Object.keys(steps)]
    expect(names).toEqual(knownSteps(set))
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z0-9-]+$/)
    for (const [name, step] of Object.entries(steps)) {
      if (step.phase !== 'contract') continue
      // What a baseline replaced was all of this kind.
      const phase = baseline?.replaces.includes(step.after) ? 'expand' : steps[step.after]?.phase
      expect(phase, `${name} comes after ${step.after}`).toBe('expand')
      expect(step.after < name).toBe(true)
    }
  })
})
