/**
 * SQLSTATEs for a lost connection (08), a read-only server (25006), insufficient resources (53), a server starting up or shutting down
 * (57P) and a failing disk (58); errno codes of the network, of a full, read-only or broken disk, and of too many open files.
 */
const OUTAGE_CODES =
  /^(08|25006|53|57P|58|ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|E(HOST|NET)(UNREACH|DOWN)$|ENOTFOUND$|EAI_AGAIN$|ENOSPC$|EDQUOT$|EROFS$|EIO$|EMFILE$|ENFILE$)/
const OUTAGE_WORDS = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** Whether an error means that a store this process depends on is unreachable, rather than that the request is wrong. */
export const isOutage = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return (typeof code === 'string' && OUTAGE_CODES.test(code)) || (typeof message === 'string' && OUTAGE_WORDS.test(message))
}
