/** The page of a strike for its account; apps open it from the notification. */
export const strikePath = (id: string): string => `/disputes/strikes/${id}`
