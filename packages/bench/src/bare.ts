import { createServer } from 'node:http'

// The measure beside the server: what this machine gives a Node process that does nothing.
const body = Buffer.from('{"hello":"world"}')
createServer((_request, response) =>
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body),
).listen(Number(process.argv[2]), '127.0.0.1')
