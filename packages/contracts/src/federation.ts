export * from './gen/federation/v1/instance.ts'
export * from './gen/federation/v1/policy.ts'
