/**
 * Postgres's classes for a connection lost (08), a server that only reads (25006), no room (53), one going or coming (57P) and a disk that
 * fails (58); the network's own words; a disk that is full, read-only or broken, and a system without room for another open file.
 */
const OUTAGE_CODES =
  /^(08|25006|53|57P|58|ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|E(HOST|NET)(UNREACH|DOWN)$|ENOTFOUND$|EAI_AGAIN$|ENOSPC$|EDQUOT$|EROFS$|EIO$|EMFILE$|ENFILE$)/
const OUTAGE_WORDS = /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

/** Whether an error says that a store this process depends on is unreachable, rather than that something is wrong with what was asked. */
export const isOutage = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return (typeof code === 'string' && OUTAGE_CODES.test(code)) || (typeof message === 'string' && OUTAGE_WORDS.test(message))
}
