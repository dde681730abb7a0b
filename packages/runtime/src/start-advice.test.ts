import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { serve } from '@rookery/rpc'
import { expect, test } from 'vitest'
import { ConfigurationError } from './environment.ts'
import { atPortOf, startAdvice } from './start-advice.ts'

const listenOn = (port: number) => {
  const server = createServer()
  return new Promise<{ port: number; close(): void }>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve({ port: (server.address() as { port: number }).port, close: () => server.close() }))
  })
}

test('a port in use is named, with what to do', async () => {
  const { port, close } = await listenOn(0)
  const error = await listenOn(port).catch((fault) => fault)
  close()
  expect(startAdvice(error)).toBe(`Port ${port} of 127.0.0.1 is in use: stop the program that listens there, or set PORT to another one.`)
})

test('a port in use is named with its own setting, whatever the library says of it', async () => {
  const { port, close } = await listenOn(0)
  const error = await atPortOf('HEALTH_PORT', listenOn(port)).catch((fault) => fault)
  expect(startAdvice(error)).toBe(
    `Port ${port} of 127.0.0.1 is in use: stop the program that listens there, or set HEALTH_PORT to another one.`,
  )
  const rpc = await atPortOf('RPC_PORT', serve([], `127.0.0.1:${port}`)).catch((fault) => fault)
  close()
  expect(startAdvice(rpc)).toMatch(/^RPC_PORT cannot be listened at: .*EADDRINUSE/)
})

test('a folder that cannot be made is named, with what to do', () => {
  let fault: unknown
  try {
    mkdirSync('/dev/null/rookery', { recursive: true })
  } catch (error) {
    fault = error
  }
  expect(startAdvice(fault)).toBe('/dev/null/rookery cannot be used (ENOTDIR): set DATA_DIR to a folder that this account may write to.')
})

test('wrong settings keep their own words', () => {
  expect(startAdvice(new ConfigurationError(['PORT must be a port number']))).toContain('PORT must be a port number')
})

test('any other error is left to the log', () => {
  expect(startAdvice(new TypeError('x is not a function'))).toBeUndefined()
  expect(startAdvice('text')).toBeUndefined()
})
