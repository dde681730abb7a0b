export { createFindAlternate } from './find-alternate.ts'
export { createResolverRpc } from './resolver.rpc.ts'
export { createWebFinger, type WebFinger } from './webfinger.ts'
