export * from './gen/notifications/v1/groups.ts'
export * from './gen/notifications/v1/inbox.ts'
export * from './gen/notifications/v1/markers.ts'
export * from './gen/notifications/v1/push.ts'
