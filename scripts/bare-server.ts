import { createServer } from 'node:http'

// The baseline of the benchmarks: a Node process that does nothing.
const body = Buffer.from('{"hello":"world"}')
const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
createServer((_request, response) => response.writeHead(200, headers).end(body)).listen(Number(process.argv[2]), '127.0.0.1')
