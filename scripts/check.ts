import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { checkImports } from './check-imports.ts'
import { deadLinks } from './check-links.ts'
import { findOutdated } from './generate.ts'

const run = (command: string, ...flags: string[]): boolean => spawnSync(command, flags, { stdio: 'inherit' }).status === 0

/** Prints faults and returns whether there are none. */
const report = (faults: readonly string[]): boolean => {
  for (const fault of faults) console.log(fault)
  return faults.length === 0
}

/** All checks, the cheapest first. */
const CHECKS: Record<string, () => boolean | Promise<boolean>> = {
  'import rules': async () => report(await checkImports()),
  'links of documents': () => report(deadLinks(process.cwd()).map((link) => `${link} leads nowhere`)),
  'format and lint': () => run('biome', 'check', '.', '--error-on-warnings', '--max-diagnostics=none'),
  contracts: () => run('buf', 'lint'),
  'contracts, against the last commit': () => run('buf', 'breaking', '--against', '.git#ref=HEAD'),
  'generated files': async () => report((await findOutdated(process.cwd())).map((path) => `${path} is out of date: npm run generate`)),
  types: () => run('tsc', '-p', '.', '--checkers', availableParallelism() > 4 ? '4' : '1'),
}

/** Runs all checks that do not need the product to run; continues after a fault, so that all are reported. */
export const check = async (): Promise<boolean> => {
  const broken: string[] = []
  for (const [name, holds] of Object.entries(CHECKS)) {
    const begun = performance.now()
    const isSound = await Promise.resolve()
      .then(holds)
      .catch((error: Error) => report([error.stack ?? error.message]))
    console.log(`${isSound ? 'ok    ' : 'BROKEN'} ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
    if (!isSound) broken.push(name)
  }
  if (broken.length > 0) console.log(`Broken: ${broken.join('; ')}`)
  return broken.length === 0
}
