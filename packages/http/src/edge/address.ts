import { isIP } from 'node:net'
import type { Request } from 'express'

/**
 * The client's address. X-Forwarded-For counts only as far as trusted proxies wrote it, and only if it is an address. Empty for a closed
 * connection.
 */
export const addressOf = (request: Request): string => {
  const { ip = '' } = request
  return isIP(ip) ? ip : (request.socket.remoteAddress ?? '')
}
