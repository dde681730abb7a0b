export * from './gen/media/v1/attachments.ts'
export * from './gen/media/v1/operator.ts'
