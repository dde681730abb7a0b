export { fileOperatorHandler } from './files.rpc.ts'
