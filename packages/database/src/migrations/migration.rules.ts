import { knownSteps } from './known-steps.ts'
import type { RanStep, RunningCode } from './migration.store.ts'
import type { ContractStep, MigrationSet, MigrationStep } from './migration-set.ts'

/**
 * expand: the changes that code needs, before it runs. contract: removals, once the previous code has ended. start: both, as far as running
 * code allows.
 */
export type MigrationPhase = 'expand' | 'contract' | 'start'

export type NamedStep = { readonly name: string; readonly step: MigrationStep }

/** The steps to run now, in order, and the contract steps left for later. */
type MigrationPlan = { readonly run: readonly NamedStep[]; readonly left: readonly string[] }

/** The error of a version that cannot work with the schema as it is; the message is for the operator. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

const stepsInOrder = (set: MigrationSet): NamedStep[] =>
  Object.keys(set.steps)
    .sort()
    .map((name) => ({ name, step: set.steps[name]! }))

/**
 * Whether the baseline creates the schema, because no step has run yet.
 * @throws MigrationRefused when some, but not all, of the steps that the baseline replaces have run
 */
export const needsBaseline = ({ name, baseline }: MigrationSet, ran: readonly RanStep[]): boolean => {
  const replaces = baseline?.replaces ?? []
  const names = new Set(ran.map((step) => step.name))
  const missing = replaces.filter((step) => !names.has(step))
  if (missing.length > 0 && missing.length < replaces.length)
    throw new MigrationRefused(
      `The schema of ${name} is too old for this version, which no longer has the step ${missing[0]}. ` +
        `Start first a version that has the step ${replaces.at(-1)}, and then this one.`,
    )
  return missing.length > 0
}

/** @throws MigrationRefused when a newer version has removed what this one needs; additions do not matter */
export const refuseNewerSchema = (set: MigrationSet, ran: readonly RanStep[]): void => {
  const known = new Set(knownSteps(set))
  const missed = ran.find(({ name, phase, after }) => phase === 'contract' && !known.has(name) && !known.has(after ?? ''))
  if (!missed) return
  throw new MigrationRefused(
    `The schema of ${set.name} is that of a newer version, which has taken away what this one needs (${missed.name}). ` +
      `Start the newer version again: the oldest that can run has the step ${missed.after}. ` +
      'To go back further, restore a backup from before the upgrade.',
  )
}

const refuseJump = (set: MigrationSet, name: string, { after }: ContractStep, seconds: number) =>
  new MigrationRefused(
    `This version cannot follow upon the one that runs: before its other steps, ${name} takes away from the schema of ${set.name} what that ` +
      `one still needs. Upgrade first to a version that has the step ${after}, and then to this one; or stop every process of ${set.name} ` +
      `(the last was heard of ${seconds} seconds ago) and try again.`,
  )

/** @throws MigrationRefused when a step in between would break running code */
export const planMigration = (
  set: MigrationSet,
  given: { phase: MigrationPhase; ran: readonly RanStep[]; running: readonly RunningCode[] },
): MigrationPlan => {
  refuseNewerSchema(set, given.ran)
  const ran = new Set(given.ran.map(({ name }) => name))
  const pending = stepsInOrder(set).filter(({ name }) => !ran.has(name))
  const lastExpand = pending.findLastIndex(({ step }) => step.phase === 'expand')
  const run: NamedStep[] = []
  for (const [index, each] of pending.entries()) {
    if (each.step.phase === 'contract') {
      const { after } = each.step
      const inTheWay = given.running.find(({ knows }) => !knows.includes(after))
      const isFree = index > lastExpand
      if (inTheWay && !isFree) throw refuseJump(set, each.name, each.step, inTheWay.seconds)
      if (isFree && (inTheWay || given.phase === 'expand')) break
    }
    run.push(each)
  }
  return { run, left: pending.slice(run.length).map(({ name }) => name) }
}
