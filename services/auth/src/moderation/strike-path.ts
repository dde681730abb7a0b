/** Where the person an act is about sees it; apps open it from the notification. */
export const strikePath = (id: string): string => `/disputes/strikes/${id}`
