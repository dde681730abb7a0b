export { isSameQuestion, pollFaults, storedPoll } from './poll.rules.ts'
export { PollWriter } from './poll.store.ts'
export { assemblePoll, type ShownPoll } from './poll.views.ts'
export { scheduleEnd } from './schedule-end.ts'
