/** Faults of the settings, and of a version that does not suit the schema, already say what to do. */
const SENTENCES = new Set(['ConfigurationError', 'MigrationRefused'])

/**
 * What a person reads when a process cannot start: what is wrong and what to do, in a sentence. Undefined for faults that no one expects,
 * which are logged with their stack.
 */
export const startAdvice = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if (SENTENCES.has(error.name)) return error.message
  const { code, syscall, address, port, path } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (syscall === 'listen' && code === 'EADDRINUSE') {
    return `Port ${port} of ${address} is in use: stop the program that listens there, or set PORT to another one.`
  }
  if (syscall === 'listen') return `Port ${port} of ${address} cannot be opened (${code}): set HOST and PORT to what this account may use.`
  if (path !== undefined) return `${path} cannot be used (${code}): set DATA_DIR to a folder that this account may write to.`
  return undefined
}
