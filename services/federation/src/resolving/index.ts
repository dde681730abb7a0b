export { resolverHandler } from './resolver.rpc.ts'
export { createWebFinger } from './webfinger.ts'
