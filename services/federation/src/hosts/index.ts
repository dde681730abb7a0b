export * from './host.store.ts'
