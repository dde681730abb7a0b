export * from './gen/events/v1/backlog.ts'
export * from './gen/events/v1/envelope.ts'
export * from './gen/events/v1/live.ts'
export * from './gen/events/v1/operator.ts'
