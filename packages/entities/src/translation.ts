import type { Translation } from '@rookery/contracts/statuses'

/** Translation (spec, Resources; beyond-the-spec 1.1). */
export const translationEntity = (translation: Translation) => ({
  content: translation.content,
  spoiler_text: translation.spoilerText,
  language: translation.language,
  detected_source_language: translation.detectedSourceLanguage,
  provider: translation.provider,
  poll: translation.poll ? { id: translation.poll.id, options: translation.poll.titles.map((title) => ({ title })) } : null,
  media_attachments: translation.descriptions.map(({ mediaId, description }) => ({ id: mediaId, description })),
})
