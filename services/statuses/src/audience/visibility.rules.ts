import { Visibility } from '@rookery/contracts/statuses'

/** Whether a status of this visibility is for everyone: public or unlisted. */
export const isOpen = (visibility: number): boolean => visibility === Visibility.PUBLIC || visibility === Visibility.UNLISTED

/** Whether public timelines, tags and trends may show a status of this visibility. */
export const isPublic = (visibility: number): boolean => visibility === Visibility.PUBLIC

/** Whether a status of this visibility is for its author's followers. */
export const isPrivate = (visibility: number): boolean => visibility === Visibility.PRIVATE

/** Whether a status of this visibility is for those it mentions. */
export const isDirect = (visibility: number): boolean => visibility === Visibility.DIRECT

/** Whether a visibility was given. */
export const isStated = (visibility: number): boolean => visibility !== Visibility.UNSPECIFIED
