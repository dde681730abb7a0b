/** Maximum bytes of a client's message. */
export const LONGEST_MESSAGE = 16 * 1024
/** Maximum bytes buffered for a slow reader before it is disconnected. */
export const MAX_BUFFERED = 1024 * 1024
/** How long a connection that the server closes may take to end, in milliseconds. */
export const ENDING_MILLISECONDS = 3000
/** Maximum commands queued per WebSocket. */
export const MAX_WAITING = 100
