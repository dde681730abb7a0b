/** Errors whose message already says what to do: faults of settings, and of a version that does not match the schema. */
const SENTENCES = new Set(['ConfigurationError', 'MigrationRefused'])

/** Opens a listener at the port of a setting; an error gets the setting's name. */
export const atPortOf = async <Listener>(setting: string, opening: Promise<Listener>): Promise<Listener> => {
  try {
    return await opening
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { setting }) : error
  }
}

type ListenError = NodeJS.ErrnoException & { address?: string; port?: number; setting?: string }

/** Explains an error of listening; without a port number if gRPC's message lacks it. */
const listenAdvice = ({ message, code, address, port, setting = 'PORT' }: ListenError): string => {
  if (port === undefined) return `${setting} cannot be listened at: ${message}.`
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${address} is in use: stop the program that listens there, or set ${setting} to another one.`
  return `Port ${port} of ${address} cannot be opened (${code}): set HOST and ${setting} to what this account may use.`
}

/**
 * Explains why a process cannot start, and what to do, in a sentence. Undefined for unexpected errors, which are logged with their stack.
 */
export const startAdvice = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if (SENTENCES.has(error.name)) return error.message
  const { code, syscall, path, setting } = error as ListenError
  if (syscall === 'listen' || setting !== undefined) return listenAdvice(error)
  if (path !== undefined) return `${path} cannot be used (${code}): set DATA_DIR to a folder that this account may write to.`
  return undefined
}
