/** The longest message a client may send, in bytes. */
export const LONGEST_MESSAGE = 16 * 1024
/** What may wait for a slow reader, in bytes, before it is cut. */
export const MAX_BUFFERED = 1024 * 1024
/** How long a connection that the server ends may take to go, in milliseconds. */
export const ENDING_MILLISECONDS = 3000
/** Commands of one WebSocket that may wait for those before them. */
export const MAX_WAITING = 100
