export { createPinsRpc } from './pins.rpc.ts'
