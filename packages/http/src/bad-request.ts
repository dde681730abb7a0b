import type { Duplex } from 'node:stream'

const reasonOf = ({ code }: { code?: string }) => {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The address and the headers of the request are too long'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request took too long' : 'The request is not valid HTTP'
}

/** Answers a request that never reaches a listener with an error as the API writes it, and closes the connection. */
export const sendBadRequest = (socket: Duplex, reason: string): void => {
  const body = JSON.stringify({ error: reason })
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Date: ${new Date().toUTCString()}`,
    'Access-Control-Allow-Origin: *',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  // The client may never close its half.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Answers bytes that are not a valid request. A connection that is broken, or never sent a byte, is closed without an answer. */
export const answerClientError = (error: NodeJS.ErrnoException, socket: Duplex & { bytesRead?: number }): void => {
  if (!socket.writable || error.code === 'ECONNRESET' || socket.bytesRead === 0) return void socket.destroy()
  sendBadRequest(socket, reasonOf(error))
}
