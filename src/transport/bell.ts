/** Wakes whoever waits for something to change. */
export interface Bell {
  /** Resolves at the next ring. */
  next(): Promise<void>
  ring(): void
}

export function createBell(): Bell {
  let wake: () => void = () => {}
  let ringing = new Promise<void>(resolve => {
    wake = resolve
  })
  return {
    next: () => ringing,
    ring() {
      const woken = wake
      ringing = new Promise(resolve => {
        wake = resolve
      })
      woken()
    },
  }
}
