export { isSameQuestion, pollFaults, storedPoll } from './poll.rules.ts'
export { PollWriter } from './poll.store.ts'
export { scheduleEnd } from './schedule-end.ts'
