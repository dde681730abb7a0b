export * from './gen/common/v1/details.ts'
export * from './gen/common/v1/diagnostics.ts'
export * from './gen/common/v1/failure.ts'
export * from './gen/common/v1/paging.ts'
