import { isIP } from 'node:net'
import type { Request } from 'express'

/**
 * The address a request comes from. X-Forwarded-For counts only as far as trusted proxies wrote it, and only where it names an address.
 * Empty for a connection that is gone.
 */
export const addressOf = (request: Request): string => {
  const { ip = '' } = request
  return isIP(ip) ? ip : (request.socket.remoteAddress ?? '')
}
