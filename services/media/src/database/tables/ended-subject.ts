/** A deleted status or scheduled status: its files were freed, and later events about it are ignored. */
export type EndedSubjectTable = { id: string; endedAt: Date }
