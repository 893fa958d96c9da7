/** Metrics as text: OpenMetrics 1.0, and the older text format of Prometheus. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric. The names of counters and infos have no suffix here. `unit` is the end of the name. */
export interface Family {
  readonly name: string
  readonly type: "counter" | "gauge" | "info"
  readonly unit?: "seconds"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

export type Format = "openmetrics" | "prometheus"

export const contentTypes: { readonly [F in Format]: string } = {
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  prometheus: "text/plain; version=0.0.4; charset=utf-8",
}

/** The format of the `Accept` header. Prometheus asks for OpenMetrics by name; others get text that a browser shows. */
export const negotiate = (accept: string | undefined): Format =>
  /(?:^|[,\s])application\/openmetrics-text\b(?!\s*;[^,]*\bq=0(?:\.0*)?\s*(?:[,;]|$))/i.test(accept ?? "")
    ? "openmetrics"
    : "prometheus"

const suffixes = { counter: "_total", gauge: "", info: "_info" }

const escape = (text: string): string =>
  text
    .replaceAll("\\", "\\\\")
    .replaceAll("\n", String.raw`\n`)
    .replaceAll('"', String.raw`\"`)

const labelsOf = (labels: Readonly<Record<string, string>>): string => {
  const all = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return all.length === 0 ? "" : `{${all.join(",")}}`
}

const lines =
  (format: Format) =>
  ({ help, name, samples, type, unit }: Family): ReadonlyArray<string> => {
    const sample = `${name}${suffixes[type]}`
    // The older format has the suffix in the name of the metric, and no infos and units.
    const metric = format === "openmetrics" ? name : sample
    return [
      `# HELP ${metric} ${escape(help)}`,
      `# TYPE ${metric} ${format === "prometheus" && type === "info" ? "gauge" : type}`,
      ...(format === "openmetrics" && unit !== undefined ? [`# UNIT ${metric} ${unit}`] : []),
      ...samples.map(({ labels = {}, value }) => `${sample}${labelsOf(labels)} ${value}`),
    ]
  }

export const render = (families: ReadonlyArray<Family>, format: Format): string =>
  [
    ...families.filter(({ samples }) => samples.length > 0).flatMap(lines(format)),
    ...(format === "openmetrics" ? ["# EOF"] : []),
    "",
  ].join("\n")
