/** The version of this package, as in package.json (a test keeps them equal). */
export const version: string = '0.1.0'

/** How the package names itself to services. */
export const userAgent: string = `headrace/${version} (+node ${process.versions.node})`
