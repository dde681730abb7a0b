import { startTestPostgres } from '@rookery/test-stores'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type MigrationSet, type MigrationStep, migrate, openDatabase, prepareDatabase } from '../../packages/database/src/index.ts'
import { eventMigrations } from '../../packages/events/src/index.ts'
import { DECLARED } from '../chart/declared.ts'
import { faultsOf, madeTable } from './statement.rules.ts'

/** Steps from before the rules, which no server has to go through while it is used: they ran before the first version. */
const FROM_BEFORE: readonly string[] = [
  'auth 0004-password-resets',
  'auth 0006-closings',
  'media 0002-emoji-pictures',
  'media 0003-preview-pictures',
  'media 0005-files-of-owners',
  'notifications 0003-reports',
  'statuses 0004-search',
  'statuses 0013-threads',
  'statuses 0015-account-life',
  'statuses 0016-graph',
  'statuses 0018-reports',
  'statuses 0021-standing-and-locale',
  'statuses 0022-featured-tags',
  'statuses 0023-finding',
  'statuses 0024-told-of-posts',
  'statuses 0025-moved-and-remembered',
  'statuses 0027-cards-of-many',
]

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
  await migrate(database.db, { name: set.name, steps: Object.fromEntries(Object.entries(set.steps).map(watched)) })
  return statements
}

const faultsOfStep = (step: MigrationStep, statements: readonly string[]) => {
  const ownTables = new Set(statements.flatMap((text) => madeTable(text) ?? []))
  const seen = { phase: step.phase, isTransactional: step.isTransactional ?? true, ownTables }
  return statements.flatMap((text) => faultsOf(text, seen))
}

describe('the steps of every schema', () => {
  it.each(SETS)('of %s may run beside the version before, or are of before the first', async (name, role, set) => {
    const statements = await statementsOf(role, set)
    const faults = Object.entries(set.steps).map(([step, it]) => [`${name} ${step}`, faultsOfStep(it, statements.get(step) ?? [])] as const)
    expect(faults.filter(([step, its]) => its.length > 0 && !FROM_BEFORE.includes(step))).toEqual([])
    // Every exception is needed.
    const excused = FROM_BEFORE.filter((step) => step.startsWith(`${name} `))
    expect(faults.flatMap(([step, its]) => (its.length > 0 && excused.includes(step) ? [step] : []))).toEqual(excused)
  })

  it.each(SETS)('of %s come in the order of their numbers, and what they take away was given up by an earlier one', (_, __, { steps }) => {
    const names = Object.keys(steps)
    expect(names).toEqual([...names].sort())
    for (const name of names) expect(name).toMatch(/^\d{4}-[a-z0-9-]+$/)
    for (const [name, step] of Object.entries(steps)) {
      if (step.phase !== 'contract') continue
      expect(steps[step.after]?.phase, `${name} comes after ${step.after}`).toBe('expand')
      expect(step.after < name).toBe(true)
    }
  })
})
