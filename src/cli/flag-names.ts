/** `monitoringLocationId` as `monitoring-location-id`. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`).replace(/_/g, '-')
}

/** `getDaily` as `daily`; what is no getter keeps its name. */
export function commandName(operation: string): string {
  return kebabCase(operation.replace(/^get(?=[A-Z])/, '').replace(/^[A-Z]/, letter => letter.toLowerCase()))
}

/** `monitoring-location-id` or `monitoring_location_id` as `monitoringLocationId`. */
export function camelCase(name: string): string {
  return name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
