import type { MigrationSet } from './migration-set.ts'

/** All steps known to the code, in order of their names: those that its baseline replaces, and its own. */
export const knownSteps = ({ baseline, steps }: MigrationSet): string[] => [...(baseline?.replaces ?? []), ...Object.keys(steps)].sort()
