import { importFaults } from './rules/cruise.ts'
import { RULES } from './rules/rules.ts'
import { type Fault, readSources } from './rules/sources.ts'

/** The violations of the rules about texts in a workspace (docs/architecture.md). */
export const textFaults = (root: string): Fault[] => {
  const sources = readSources(root)
  return RULES.flatMap((rule) => rule(sources))
}

/** All violations in the workspace that is the working directory, a line each. */
export const checkImports = async (): Promise<string[]> =>
  [...(await importFaults()), ...textFaults('.')].map(({ path, why }) => `${path} ${why}`)

if (import.meta.main) {
  const faults = await checkImports()
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
