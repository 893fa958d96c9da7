/** When the service asks callers to wait: who waits, who fails unsent, and who goes first afterwards. */
import * as Effect from "effect/Effect"
import type { StatusReason } from "../StatusReason.js"

/** All times are in nanoseconds on the monotonic clock. */
export interface Pause {
  /** Why callers fail unsent. */
  readonly refusal: (now: number) => StatusReason | undefined
  readonly resumesAt: () => number
  /** When a caller may begin. After a pause, one goes first: the others wait until it has ended without another pause. */
  readonly opensAt: (caller: object) => number
  readonly begin: (caller: object, now: number) => void
  /** A caller ended: with a result, or it was interrupted. */
  readonly end: (caller: object, now: number, hasResult: boolean) => void
  /** Callers wait until a time, or fail with the refusal until then. */
  readonly stop: (until: number, refusal?: StatusReason) => void
  /** The service refused a request of `source`. Enough sources in a row stop all callers. */
  readonly refuse: (source: unknown, until: number, refusal: StatusReason | undefined) => void
  /** The service did not refuse a request, and callers wait until a time. */
  readonly accept: (until: number) => void
  /** Ends when the one that went first has ended. For one waiter at a time. */
  readonly woken: Effect.Effect<void>
  /** Whether nothing is paused or counted. */
  readonly isIdle: () => boolean
}

/** The others wait this long for the first attempt after a pause. Then the next one goes first as well. */
const probeNanos = 2e9

/** `maxRefusals`: how many sources in a row stop all callers. */
export const make = (maxRefusals: number): Pause => {
  let resumeAt = -Infinity
  let refused: StatusReason | undefined
  let refusedUntil = -Infinity
  const sources = new Set<unknown>()
  let isPaused = false
  /** Those that went first and run, the last of them, and how long the others wait for it. */
  const probes = new Set<object>()
  let probe: object | undefined
  let probeUntil = -Infinity
  let wake = (): void => {}

  const stop: Pause["stop"] = (until, refusal) => {
    if (refusal === undefined) resumeAt = Math.max(resumeAt, until)
    else {
      refused = refusal
      refusedUntil = until
    }
  }

  return {
    refusal: (now) => (now < refusedUntil ? refused : undefined),
    resumesAt: () => resumeAt,
    opensAt: (caller) => Math.max(resumeAt, isPaused && probe !== caller ? probeUntil : -Infinity),
    begin: (caller, now) => {
      if (!isPaused) return
      probes.add(caller)
      probe = caller
      probeUntil = now + probeNanos
    },
    end: (caller, now, hasResult) => {
      const wentFirst = probes.delete(caller)
      // One that went first may end during a later pause.
      if (hasResult) isPaused = now < Math.max(resumeAt, refusedUntil) || (isPaused && !wentFirst)
      if (probe === caller) probeUntil = -Infinity
      if (wentFirst) wake()
    },
    stop,
    refuse: (source, until, refusal) => {
      if (sources.size < maxRefusals) sources.add(source)
      if (sources.size >= maxRefusals) stop(until, refusal)
    },
    accept: (until) => {
      sources.clear()
      refusedUntil = -Infinity
      stop(until)
    },
    woken: Effect.callback<void>((resume) => {
      wake = () => resume(Effect.void)
    }),
    isIdle: () => !isPaused && sources.size === 0,
  }
}
