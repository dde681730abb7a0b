export * from './gen/media/v1/attachments.ts'
export * from './gen/media/v1/operator.ts'
export * from './gen/media/v1/remote_files.ts'
