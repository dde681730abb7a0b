import type { Duplex } from 'node:stream'

const reasonOf = ({ code }: NodeJS.ErrnoException) => {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The address and the headers of the request are too long'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request took too long' : 'The request is not valid HTTP'
}

/** Answers what no listener gets to see, because it cannot be read as a request, the way the API answers errors; then ends the connection. */
export const answerUnreadable = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const body = JSON.stringify({ error: reasonOf(error) })
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Date: ${new Date().toUTCString()}`,
    'Access-Control-Allow-Origin: *',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
