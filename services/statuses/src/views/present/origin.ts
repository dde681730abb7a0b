import type { RemoteOrigin } from '@rookery/contracts/statuses'

type Columns = { domain: string | null; uri: string | null; url: string | null }

/** Where a person or a status of another server comes from; undefined for those of this server. */
export const originOf = ({ domain, uri, url }: Columns): RemoteOrigin | undefined =>
  domain === null || uri === null ? undefined : { domain, uri, url: url || uri }
