export { signCavage } from './cavage.ts'
export { type Headers, headerOf, type ReadSignature, SignatureError, type SignatureKind, type SignedMessage } from './message.ts'
export { signRfc9421 } from './rfc9421.ts'
export { isSignedBy, readSignature } from './verify.ts'
