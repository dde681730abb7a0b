/** Limits that more than one service must agree on; shown to clients by the instance document (spec, Limits; beyond-the-spec 1.2). */
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
  },
  statuses: { maxCharacters: 500, maxMediaAttachments: 4, charactersReservedPerUrl: 23 },
  media: {
    descriptionLength: 1500,
    imageBytes: 16_777_216,
    imagePixels: 33_177_600,
    profileImageBytes: 8_388_608,
    imageTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/heic', 'image/heif', 'image/webp', 'image/avif'],
  },
  polls: { maxOptions: 4, maxCharactersPerOption: 50, minExpirationSeconds: 300, maxExpirationSeconds: 2_629_746 },
} as const
