export * from './gen/notifications/v1/inbox.ts'
