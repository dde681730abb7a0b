export * from './gen/events/v1/envelope.ts'
export * from './gen/events/v1/live.ts'
