/** The largest message either side takes; files go in parts far below it. */
export const MESSAGE_LIMITS = {
  'grpc.max_receive_message_length': 32 * 1024 * 1024,
  'grpc.max_send_message_length': 32 * 1024 * 1024,
} as const
