import type { IncomingMessage } from 'node:http'
import busboy from 'busboy'
import { MalformedRequest, type Parameters } from './parameters.ts'

/** A form that came with a file. */
export type Upload = { parameters: Parameters; text: string }

/** Two MiB of text: tens of thousands of lines. */
const MOST_BYTES = 2 * 1024 * 1024

/**
 * Reads a form with one text file. Nothing beyond the limit is kept. @throws MalformedRequest for what is no such form, or too large
 */
export const readUpload = (request: IncomingMessage): Promise<Upload> =>
  new Promise((resolve, reject) => {
    const refuse = (cause: unknown) =>
      reject(cause instanceof MalformedRequest ? cause : new MalformedRequest('The form is broken.', { cause }))
    const parameters: Record<string, string> = {}
    const chunks: Buffer[] = []
    try {
      const limits = { fields: 20, fieldSize: 4096, files: 1, fileSize: MOST_BYTES }
      const parser = busboy({ headers: request.headers, limits })
      parser.on('field', (name, value) => {
        parameters[name] = value
      })
      parser.on('file', (_name, file) => {
        // A file that breaks off fails by itself besides the parser: without a listener that ends the process.
        file.on('error', refuse)
        file.on('data', (chunk: Buffer) => chunks.push(chunk))
        file.on('limit', () => refuse(new MalformedRequest('The file is too large.')))
      })
      parser.on('error', refuse)
      parser.on('close', () => resolve({ parameters, text: Buffer.concat(chunks).toString() }))
      request.on('error', refuse)
      request.pipe(parser)
    } catch (error) {
      refuse(error)
    }
  })
