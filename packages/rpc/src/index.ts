export { type Connection, connect, openConnection, PATIENT } from './connect.ts'
export type { CertificateFiles, RpcCredentials } from './credentials.ts'
export {
  acknowledging,
  type Call,
  type CallMeter,
  type CallObserver,
  type Client,
  type Definition,
  type Handler,
  handler,
  type Partially,
  type Served,
} from './definition.ts'
export { link } from './link.ts'
export { serve } from './serve.ts'
