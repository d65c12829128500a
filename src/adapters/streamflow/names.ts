/** `monitoring_location_id` as `monitoringLocationId`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** `monitoringLocationId` as `monitoring_location_id`. A name with underscores stays as it is. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
