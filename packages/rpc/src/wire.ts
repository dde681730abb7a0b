/** The maximum size of a message, in bytes; files are sent in chunks far below it. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
export const MESSAGE_LIMITS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
} as const

/** The path of the shared stream (proto/common/v1/exchange.proto). */
export const EXCHANGE_PATH = '/rookery.common.v1.Exchange/Carry'

/** An encoded message as a Buffer over the same bytes. */
export const bytesOf = (written: { finish(): Uint8Array }): Buffer => {
  const bytes = written.finish()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
