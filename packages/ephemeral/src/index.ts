export { type Announce, announcer } from './announcer.ts'
export { memoryEphemeral } from './memory/memory.ts'
export type { Ephemeral, LiveChannel, Presence, RateCounter } from './ports.ts'
