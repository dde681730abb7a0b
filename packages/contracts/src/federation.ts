export * from './gen/federation/v1/instance.ts'
