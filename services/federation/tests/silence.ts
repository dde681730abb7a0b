import type { Vocabulary } from '../src/contract.ts'

/** A vocabulary that does nothing; tests override parts of it. */
export const silence: Vocabulary = {
  renderServerActor: async () => ({}),
  renderServerOutbox: () => ({}),
  announceActor: async () => {},
  renderActor: async () => undefined,
  renderCollection: async () => undefined,
  renderStatus: async () => undefined,
  renderActivity: async () => undefined,
  renderQuoteAuthorization: async () => undefined,
  renderCounts: async () => undefined,
  openThread: async () => {},
  renderFollowersAt: async () => undefined,
  renderReplies: async () => undefined,
  onActivity: async () => {},
  resolveStatus: async () => '',
  knownStatus: async () => '',
  consumers: [],
  jobs: [],
}
