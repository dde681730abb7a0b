import { type AccountView, StatusBody, type StatusView } from '@rookery/contracts/statuses'

/** A status as pages show it: its media are sensitive, too, where all of its author's are. */
export const statusBodyOf = (view: StatusView, author: AccountView): StatusBody => {
  const body = StatusBody.decode(view.body)
  return author.isSensitized ? { ...body, sensitive: true } : body
}
