/** Metrics in the text format of Prometheus. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric. The names of counters end with `_total`. */
export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const family =
  (type: Family["type"]) =>
  (name: string, help: string, samples: ReadonlyArray<Sample>): Family => ({ name, type, help, samples })

export const counter = family("counter")
export const gauge = family("gauge")

/** The only sample of a metric. */
export const one = (value: number): ReadonlyArray<Sample> => [{ value }]

export const contentType = "text/plain; version=0.0.4; charset=utf-8"

const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", String.raw`\n`)
    .replaceAll('"', String.raw`\"`)

const labelsOf = (labels: Readonly<Record<string, string>>): string => {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return all.length === 0 ? "" : `{${all.join(",")}}`
}

const lines = ({ help, name, samples, type }: Family): ReadonlyArray<string> => [
  `# HELP ${name} ${escape(help)}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(({ labels = {}, value }) => `${name}${labelsOf(labels)} ${value}`),
]

export const render = (families: ReadonlyArray<Family>): string =>
  [...families.filter(({ samples }) => samples.length > 0).flatMap(lines), ""].join("\n")
