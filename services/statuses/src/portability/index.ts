export { createPortabilityRpc } from './portability.rpc.ts'
