export { livePublisher, type PublishLive } from './live-publisher.ts'
export { memoryEphemeral } from './memory/memory.ts'
export type { Ephemeral, LiveChannel, Presence, RateCounter } from './ports.ts'
