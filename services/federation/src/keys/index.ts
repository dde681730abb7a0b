export { SERVER } from './key.store.ts'
export { createKeys, type Keys, type Signer } from './keys.ts'
