/** The name of this service: of its schema, role, topic and jobs. */
export const SERVICE = 'media'
