import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The slowest files, in the order they start: one of them at the end would run alone. Those that start all services (services, streams,
 * rolling, federation-kills, backup-services, token-memory) are spread out, so that two of them rarely run at once.
 */
const FIRST = [
  'tests/services.test.ts',
  'services/federation/tests/snac.test.ts',
  'services/all-in-one/tests/fast-page.test.ts',
  'tests/all-in-one.test.ts',
  'tests/backup.test.ts',
  'services/federation/tests/agreement.test.ts',
  'tests/push-kills.test.ts',
  'services/media/tests/motion.test.ts',
  'packages/events/tests/bus.test.ts',
  'packages/events/tests/guarded.test.ts',
  'tests/streams.test.ts',
  'services/all-in-one/tests/live-and-stored.test.ts',
  'services/statuses/tests/graph.test.ts',
  'services/all-in-one/tests/budgets.test.ts',
  'services/statuses/tests/interactions.test.ts',
  'services/statuses/tests/deep-feeds.test.ts',
  'services/statuses/tests/suggestions.test.ts',
  'services/all-in-one/tests/live-acts.test.ts',
  'services/statuses/tests/feeds-property.test.ts',
  'services/all-in-one/tests/repeated-requests.test.ts',
  'services/notifications/tests/unread-property.test.ts',
  'tests/rolling.test.ts',
  'services/statuses/tests/statuses.test.ts',
  'services/statuses/src/content/keywords/keyword-scanner.test.ts',
  'services/media/tests/files-property.test.ts',
  'services/all-in-one/tests/time-property.test.ts',
  'services/media/tests/bombs.test.ts',
  'services/media/src/storage/bucket.test.ts',
  'services/media/tests/hostile-films.test.ts',
  'tests/federation-kills.test.ts',
  'packages/ephemeral/tests/ephemeral.test.ts',
  'services/notifications/tests/notification-mails.test.ts',
  'services/gateway/tests/admin-pages-browser.test.ts',
  'services/gateway/tests/settings-pages-browser.test.ts',
  'tests/backup-services.test.ts',
  'tests/token-memory.test.ts',
]

/** Runs the slowest files first, and the others in vitest's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = FIRST.indexOf(relative(this.ctx.config.root, moduleId))
      return place < 0 ? FIRST.length : place
    }
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
