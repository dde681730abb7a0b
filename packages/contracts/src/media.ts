export * from './gen/media/v1/attachments.ts'
