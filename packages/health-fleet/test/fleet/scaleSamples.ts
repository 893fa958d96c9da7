/** CPU time and memory of processes, and the size of tables (Linux). */
import { readdirSync, readFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** The kernel counts CPU time in units of 10 ms. */
const tick = 10

interface Usage {
  readonly parent: number
  /** In milliseconds, including ended children. */
  readonly cpu: number
  /** In MiB. */
  readonly rss: number
}

/** Returns the usage of a process, or `undefined` if it has ended. */
const usage = (pid: number | string): Usage | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name, in parentheses, may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number)
    const [, parent = 0] = fields
    const cpu = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) * tick
    return { parent, cpu, rss: ((fields[21] ?? 0) * 4096) / 2 ** 20 }
  } catch {
    return undefined
  }
}

/** CPU time of a process, in milliseconds. */
export const cpu = (pid: number): number => usage(pid)?.cpu ?? 0

/** CPU time of a process and its children, in milliseconds. */
export const treeCpu = (pid: number): number =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ name, ...usage(name) }))
    .filter(({ name, parent }) => parent === pid || name === String(pid))
    .reduce((sum, { cpu = 0 }) => sum + cpu, 0)

/** Resident memory of a process, in MiB. */
export const rss = (pid: number): number => Math.round(usage(pid)?.rss ?? 0)

/** The number of rows and the size in MiB (with indexes and long values) of each table. */
export const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const names = yield* sql<{ name: string; mib: number }>`
    SELECT relname AS name, pg_total_relation_size(oid) / 1048576.0::double precision AS mib
    FROM pg_class WHERE relkind = 'r' AND relname LIKE 'vigil\\_%' ORDER BY relname`
  return yield* Effect.forEach(names, ({ mib, name }) =>
    Effect.map(sql<{ rows: number }>`SELECT count(*)::integer AS rows FROM ${sql(name)}`, ([row]) => ({
      name,
      rows: row?.rows ?? 0,
      mib: Math.round(mib * 10) / 10,
    })),
  )
})

/** The slope of a line through the logarithms: 1 if twice the size costs twice the amount. */
export const slope = (points: ReadonlyArray<readonly [size: number, amount: number]>): number => {
  const logs = points.map(([size, amount]) => [Math.log(size), Math.log(amount)] as const)
  const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const [x, y] = [mean(logs.map(([x]) => x)), mean(logs.map(([, y]) => y))]
  const sum = (term: (x: number, y: number) => number) => logs.reduce((sum, [x, y]) => sum + term(x, y), 0)
  return sum((at, value) => (at - x) * (value - y)) / sum((at) => (at - x) ** 2)
}
