/** A status, scheduled or not, that is gone: its files were freed, and events about it that come later change nothing. */
export type EndedSubjectTable = { id: string; endedAt: Date }
