export * from './gen/auth/v1/idempotency.ts'
export * from './gen/auth/v1/operator.ts'
export * from './gen/auth/v1/staff.ts'
export * from './gen/auth/v1/tokens.ts'
