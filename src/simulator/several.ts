import type { Service } from './service.ts'

/**
 * Several services behind one address, each with its own paths.
 *
 * @param first - owns the paths that no other does
 */
export function createSeveral(first: Service, others: readonly Service[]): Service {
  const services = [first, ...others]
  const find = (path: string): Service => others.find(service => service.owns(path)) ?? first

  return {
    routes: services.flatMap(({ routes }) => routes),
    owns: () => true,
    isAccountPath: path => find(path).isAccountPath(path),
    isLoginPath: path => find(path).isLoginPath(path),
    whoAsks: ask => find(ask.path).whoAsks(ask),
    spanOf: ask => find(ask.path).spanOf(ask),
    keyOf: ask => find(ask.path).keyOf(ask),
    answer: (ask, changes) => find(ask.path).answer(ask, changes),
    admit: (ask, asker, at) => find(ask.path).admit(ask, asker, at),
    resetLimits() {
      for (const service of services) service.resetLimits()
    },
    requestIdHeader: path => find(path).requestIdHeader(path),
    errorAnswer: (status, ask) => find(ask.path).errorAnswer(status, ask),
    refuseToken: ask => find(ask.path).refuseToken(ask),
    expireTokens() {
      for (const service of services) service.expireTokens()
    },
  }
}
