/** The fields used of an Account. */
export type Account = {
  id: string
  username: string
  acct: string
  display_name: string
  url: string
  avatar_static: string
  note: string
  created_at: string
  statuses_count: number
  followers_count: number
  /** The custom emojis of the display name. */
  emojis: { shortcode: string; url: string }[]
}

/** Admin::Account (beyond-the-spec 2.6). */
export type AdminAccount = {
  id: string
  username: string
  domain: string | null
  created_at: string
  email: string
  ip: string | null
  locale: string | null
  invite_request: string | null
  role: { id: string; name: string } | null
  confirmed: boolean
  approved: boolean
  disabled: boolean
  silenced: boolean
  suspended: boolean
  sensitized: boolean
  invited_by_account_id?: string
  account: Account
}

/** The fields used of a Status. */
export type Status = {
  id: string
  url: string
  content: string
  spoiler_text: string
  sensitive: boolean
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  created_at: string
  account: Account
  /** The custom emojis of the text. */
  emojis: Account['emojis']
  media_attachments: { id: string; type: string; url: string | null; preview_url: string | null; description: string | null }[]
}

/** Admin::Report (beyond-the-spec 2.6). */
export type AdminReport = {
  id: string
  action_taken: boolean
  action_taken_at: string | null
  category: string
  comment: string
  created_at: string
  account: AdminAccount
  target_account: AdminAccount
  assigned_account: AdminAccount | null
  action_taken_by_account: AdminAccount | null
  /** Those that were deleted since, as the report found them. */
  statuses: Status[]
  deleted_status_ids: string[]
  /** Those that were edited since, as the report found them. */
  edited_statuses: Status[]
  rules: { id: string; text: string }[]
}
