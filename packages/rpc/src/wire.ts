/** The largest message either side takes, in bytes; files go in parts far below it. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
export const MESSAGE_LIMITS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
} as const

/** The stream that calls of a moment share (proto/common/v1/exchange.proto). */
export const EXCHANGE_PATH = '/rookery.common.v1.Exchange/Carry'

/** What a codec wrote, as a Buffer over the same bytes. */
export const bytesOf = (written: { finish(): Uint8Array }): Buffer => {
  const bytes = written.finish()
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
