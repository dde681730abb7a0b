import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that start whole servers and mostly wait for them, in the order in which they begin: one of them at the end would run alone, and more than
 * two that start all services at once would starve each other.
 */
const FIRST = [
  'tests/services.test.ts',
  'tests/streams.test.ts',
  'services/all-in-one/tests/fast-page.test.ts',
  'tests/all-in-one.test.ts',
  'tests/rolling.test.ts',
  'tests/backup.test.ts',
  'tests/push-kills.test.ts',
  'tests/backup-services.test.ts',
  'packages/events/tests/bus.test.ts',
]

/** Runs the files that take longest first, and the others in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = FIRST.indexOf(relative(this.ctx.config.root, moduleId))
      return place < 0 ? FIRST.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
