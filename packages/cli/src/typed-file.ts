import { readFileSync } from 'node:fs'

/** Reads a file named on the command line. @throws Error with a sentence if it cannot be read */
export const typedFile = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new Error(`There is no file ${path}.`)
    throw new Error(code === 'EISDIR' ? `${path} is a folder.` : `${path} cannot be read: ${message}`)
  }
}

/** Reads a text file named on the command line. @throws Error if it is not text, such as a picture */
export const typedTextFile = (path: string): string => {
  const bytes = typedFile(path)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // It is not UTF-8.
  }
  throw new Error(`${path} is no text in UTF-8.`)
}
