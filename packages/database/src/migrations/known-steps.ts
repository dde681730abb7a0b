import type { MigrationSet } from './migration-set.ts'

/** The steps that code knows, by name in order: those in whose place its baseline stands, and its own. */
export const knownSteps = ({ baseline, steps }: MigrationSet): string[] => [...(baseline?.replaces ?? []), ...Object.keys(steps)].sort()
