import { spawnSync } from 'node:child_process'

type Diagnostic = { severity: string; message: string; location: { path: string; start: { line: number } } }

/** Warnings that are named; of the others only the number is given. */
const NAMED = 10

/** The number of lines, or the complexity, that a warning speaks of. */
const sizeOf = ({ message }: Diagnostic) => Number(/\d+/.exec(message)?.[0] ?? 0)

/** What to print about warnings: their number, and the largest of them, a line each. */
export const summaryOf = (diagnostics: readonly Diagnostic[]): string[] => {
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning').sort((a, b) => sizeOf(b) - sizeOf(a))
  const lines = warnings.slice(0, NAMED).map(({ location, message }) => `  ${location.path}:${location.start.line} ${message}`)
  return warnings.length === 0 ? [] : [`${warnings.length} warnings, the largest first:`, ...lines]
}

/** Checks format and lint. Faults are printed whole, warnings in a few lines. Says whether there are no faults. */
export const lint = (): boolean => {
  const flags = ['check', '.', '--max-diagnostics=none']
  const { status, stdout } = spawnSync('biome', [...flags, '--reporter=json'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) return spawnSync('biome', [...flags, '--diagnostic-level=error'], { stdio: 'inherit' }).status === 0
  for (const line of summaryOf(JSON.parse(stdout).diagnostics)) console.log(line)
  return true
}
