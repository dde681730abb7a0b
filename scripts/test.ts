import { type Reporter, startVitest, type TestCase, type TestModule } from 'vitest/node'

/**
 * The result of a run. A file that could not be loaded, a group that could not be set up, and an error outside of every test count as a
 * failure each.
 */
type Outcome = { passed: number; failed: number; skipped: TestCase[] }

const outcomeOf = (modules: readonly TestModule[], unhandled: readonly unknown[]): Outcome => {
  const outcome: Outcome = { passed: 0, failed: unhandled.length, skipped: [] }
  for (const module of modules) {
    outcome.failed += module.errors().length
    for (const suite of module.children.allSuites()) outcome.failed += suite.errors().length
    for (const each of module.children.allTests()) {
      const { state } = each.result()
      if (state === 'passed') outcome.passed++
      else if (state === 'skipped') outcome.skipped.push(each)
      else outcome.failed++
    }
  }
  return outcome
}

/** Why tests were skipped: the name of the outermost group says so, once. */
const reasonsOf = (skipped: readonly TestCase[]): string[] => {
  const counts = new Map<string, number>()
  for (const each of skipped) {
    const group = each.fullName.split(' > ')[0] ?? each.fullName
    counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  return [...counts].map(([group, count]) => `${count} skipped: ${group}`)
}

/**
 * Runs the tests of a project, all or those whose paths contain one of the words, and ends with one plain line. Returns whether none
 * failed.
 */
export const test = async (words: readonly string[], project: { config?: string } = {}): Promise<boolean> => {
  let outcome: Outcome = { passed: 0, failed: 1, skipped: [] }
  const counting: Reporter = {
    onTestRunEnd: (modules, unhandled) => {
      outcome = outcomeOf(modules, unhandled)
    },
  }
  const vitest = await startVitest('test', [...words], { ...project, watch: false, reporters: ['default', counting] })
  await vitest.close()
  const { passed, failed, skipped } = outcome
  for (const reason of reasonsOf(skipped)) console.log(reason)
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
  return failed === 0
}
