/** Pages that send people to sign in and take them back: those of staff, settings and strikes. */
const OF_OURS = /^\/(?:admin|settings|disputes)(?:[/?][\w\-./?=&%+]*)?$/

/** The path to return to after sign-in, if it is such a page; undefined otherwise, against open redirects. */
export const returnPath = (text: string | undefined): string | undefined =>
  text !== undefined && OF_OURS.test(text) && !text.includes('//') ? text : undefined
