export { createDirectoryRpc } from './directory.rpc.ts'
