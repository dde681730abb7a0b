/** Limits that several services must agree on, published in the instance document (spec, Limits; beyond-the-spec 1.2). */
export const LIMITS = {
  accounts: {
    maxFeaturedTags: 10,
    maxPinnedStatuses: 5,
    maxProfileFields: 4,
    profileFieldNameLength: 255,
    profileFieldValueLength: 255,
    displayNameLength: 30,
    noteLength: 500,
    usernameLength: 30,
    maxAttributionDomains: 10,
  },
  statuses: { maxCharacters: 500, maxMediaAttachments: 4, charactersReservedPerUrl: 23 },
  media: {
    descriptionLength: 1500,
    imageBytes: 16_777_216,
    imagePixels: 33_177_600,
    profileImageBytes: 8_388_608,
    emojiBytes: 262_144,
    // The largest frame of an animation, in pixels.
    animationPixels: 921_600,
    // Clients expect these keys; the supported types say whether video and audio may be uploaded.
    motionBytes: 103_809_024,
    motionFramesPerSecond: 120,
    motionFrames: 36_000,
    motionPixels: 8_294_400,
    imageTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
    // Supported where ffmpeg can read them.
    heifTypes: ['image/heic', 'image/heif'],
    // The types that clients use for files which ffmpeg reads.
    motionTypes: [
      ...['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/webm', 'video/x-matroska', 'video/ogg', 'video/3gpp'],
      ...['audio/mpeg', 'audio/mp3', 'audio/mp4', 'audio/m4a', 'audio/x-m4a', 'audio/aac', 'audio/x-aac', 'audio/3gpp', 'audio/webm'],
      ...['audio/ogg', 'audio/opus', 'audio/vorbis', 'audio/flac', 'audio/x-flac', 'audio/wav', 'audio/wave', 'audio/x-wav'],
      ...['audio/x-pn-wave', 'audio/vnd.wave', 'audio/aiff', 'audio/x-aiff', 'audio/x-ms-wma', 'video/x-ms-asf'],
    ],
  },
  reports: { commentLength: 1000, maxStatuses: 100, maxRules: 100 },
  announcements: { textLength: 5000, maxReactions: 8 },
  lists: { maxLists: 50, titleLength: 256 },
  polls: { maxOptions: 4, maxCharactersPerOption: 50, minExpirationSeconds: 300, maxExpirationSeconds: 2_629_746 },
} as const

/** The default and the maximum number of rows of a page (spec, Page sizes; beyond-the-spec 2.2, 2.4). */
export const PAGE_SIZES = {
  statuses: { standard: 20, max: 40 },
  people: { standard: 40, max: 80 },
  scheduled: { standard: 20, max: 40 },
  conversations: { standard: 20, max: 40 },
  notifications: { standard: 15, max: 30 },
  notificationGroups: { standard: 40, max: 80 },
  unread: { standard: 100, max: 1000 },
  tags: { standard: 100, max: 200 },
  trends: { standard: 10, max: 20 },
  domains: { standard: 100, max: 200 },
  staff: { standard: 100, max: 200 },
  found: { standard: 20, max: 40 },
} as const

/** Maximum records or words per request. */
export const BATCHES = { accounts: 40, statuses: 20, relationships: 500, tagsOfTimeline: 4, views: 1000 } as const

/** Maximum open reports about one person that are counted. */
export const COUNTED_REPORTS = 1000

/** The ages in days after which people can have their own posts deleted. */
export const DELETION_DAYS = [7, 14, 30, 60, 90, 180, 365, 730] as const
