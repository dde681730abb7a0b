import type { RemoteOrigin } from '@rookery/contracts/statuses'

type Columns = { domain: string | null; uri: string | null; url: string | null }

/** The origin of a remote account or status; undefined for local ones. */
export const originOf = ({ domain, uri, url }: Columns): RemoteOrigin | undefined =>
  domain === null || uri === null ? undefined : { domain, uri, url: url || uri }
