import { flag, form, integer, textList } from '../http/fields.ts'

const pollInput = form({ options: textList(), expires_in: integer(), multiple: flag(), hide_totals: flag() })

/** poll[options][], poll[expires_in], poll[multiple], poll[hide_totals]: the requested poll, or undefined (spec, POST /api/v1/statuses). */
export const pollDraft = (typed: Record<string, unknown> | undefined) => {
  const { options, expires_in, multiple, hide_totals } = pollInput.parse(typed ?? {})
  if (options.length === 0 && !typed?.['expires_in']) return undefined
  return { options, expiresInSeconds: expires_in, isMultiple: multiple, hidesTotals: hide_totals }
}
