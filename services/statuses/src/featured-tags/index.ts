export { createFeaturedTagsRpc } from './featured-tags.rpc.ts'
