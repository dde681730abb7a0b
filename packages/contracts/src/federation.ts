export * from './gen/federation/v1/instance.ts'
export * from './gen/federation/v1/operator.ts'
export * from './gen/federation/v1/policy.ts'
export * from './gen/federation/v1/resolver.ts'
