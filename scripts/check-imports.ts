import { RULES } from './rules/rules.ts'
import { type Fault, readSources } from './rules/sources.ts'

/** What breaks the laws of the workspace in a folder (docs/architecture.md). */
export const checkImports = (root: string): Fault[] => {
  const sources = readSources(root)
  return RULES.flatMap((rule) => rule(sources, root))
}

if (import.meta.main) {
  const faults = checkImports('.')
  for (const { path, why } of faults) console.log(`${path} ${why}`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
