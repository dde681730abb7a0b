export { resolverHandler } from './resolver.rpc.ts'
export { createWebFinger, type WebFinger } from './webfinger.ts'
