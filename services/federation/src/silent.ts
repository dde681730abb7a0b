import type { Vocabulary } from './contract.ts'

/** A server that says nothing: it has no documents, and passes over what others send. */
export const silent: Vocabulary = {
  renderActor: async () => undefined,
  renderCollection: async () => undefined,
  renderStatus: async () => undefined,
  renderActivity: async () => undefined,
  renderReplies: async () => undefined,
  onActivity: async () => {},
  resolveStatus: async () => '',
  consumers: [],
}
