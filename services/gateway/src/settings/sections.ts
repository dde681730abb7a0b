/** The sections of the settings that this service serves. */
export const SECTIONS = ['profile', 'preferences', 'filters', 'tags', 'oldPosts', 'push'] as const

export type Section = (typeof SECTIONS)[number]
